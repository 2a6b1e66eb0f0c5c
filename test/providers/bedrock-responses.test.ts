/** OpenAI's models: which host and path serve them, whose clients, and what is signed for. */
import t from 'tap'
import type { FormatName } from '../../kernel/contract/names.js'
import { adapterFor, callOf, channelWith } from './bedrock-adapters.js'

const clients: readonly FormatName[] = ['chat', 'messages', 'generative', 'responses']

t.test('newer models are served by responses, whatever the client speaks', async (t) => {
  const rows = [
    ['openai.gpt-5.5', 'https://bedrock-mantle.us-east-1.api.aws/openai/v1/responses', '-mantle'],
    ['openai.gpt-oss-20b', 'https://bedrock-mantle.us-east-1.api.aws/v1/responses', '-mantle'],
    [
      'us.openai.gpt-5.6-sol',
      'https://bedrock-runtime.us-east-1.amazonaws.com/openai/v1/responses',
      '',
    ],
    [
      'global.openai.gpt-6-astra',
      'https://bedrock-runtime.us-east-1.amazonaws.com/openai/v1/responses',
      '',
    ],
  ] as const
  for (const [model, address, service] of rows) {
    for (const client of clients) {
      t.equal(adapterFor(model, 'chat', client).format, 'responses', `${model} ${client}`)
    }
    const wire = { model, input: 'Hello', stream: true }
    const { url, headers, body } = callOf(adapterFor(model), wire, { model, stream: true })
    t.equal(url, address)
    t.match(headers.authorization, `/us-east-1/bedrock${service}/aws4_request`)
    t.equal(headers.accept, 'text/event-stream')
    t.same(JSON.parse(String(body)), wire, 'the body is the client’s')
    const bearer = callOf(adapterFor(model), wire, { model, key: 'ABSKkey' })
    t.equal(bearer.headers.authorization, 'Bearer ABSKkey')
  }
})

t.test('open models are served by responses to clients of that format alone', async (t) => {
  const model = 'openai.gpt-oss-120b-1:0'
  for (const client of clients) {
    const expected = client === 'responses' ? 'responses' : 'own'
    t.equal(adapterFor(model, 'chat', client).format, expected, client)
  }
  const settings = { responses_api: 'convert' }
  t.equal(adapterFor(model, 'chat', 'responses', channelWith(settings)).format, 'own')
  const adapter = adapterFor(model, 'chat', 'responses')
  const { url, body } = callOf(adapter, { model, input: 'Hello' }, { model })
  t.equal(url, 'https://bedrock-mantle.us-east-1.api.aws/v1/responses')
  t.same(JSON.parse(String(body)), { model: 'openai.gpt-oss-120b', input: 'Hello' })
})

t.test('a refusal in OpenAI’s words states whose fault it is, and no account', async (t) => {
  const { fail } = adapterFor('openai.gpt-5.5')
  const refused = (status: number, message: string, param?: string) =>
    fail(status, {}, Buffer.from(JSON.stringify({ error: { message, type: 'x', param } })))
  t.match(refused(400, 'Invalid value for input', 'input'), { blame: 'client', param: 'input' })
  const route = "The model 'openai.gpt-5.5' does not support the '/v1/chat/completions' API"
  t.match(refused(400, route), { blame: 'channel' })
  t.match(refused(401, 'no'), { blame: 'channel' })
  const arn = 'arn:aws:bedrock:us-east-1:123456789012:project/default'
  t.notMatch(refused(400, `input: not for ${arn}`).message, /123456789012/)
})

/** `plugin live` against an upstream that behaves as a service of chat completions documents, and against one that does not. */
import type { ServerResponse } from 'node:http'
import t, { type Test } from 'tap'
import { run } from '../../config/cli/plugin-live.js'
import { chat, json, type Recorded, scriptedUpstream } from '../kit/upstream.js'

const key = 'sk-of-the-operator-4711'

interface Sent {
  readonly model: string
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[]
  readonly stream?: boolean
  readonly tools?: readonly unknown[]
  readonly response_format?: unknown
}

const whole = (message: object, reason = 'stop') => {
  const reply = chat.whole('', 9, 3)
  const choice = { index: 0, message: { role: 'assistant', ...message }, finish_reason: reason }
  return { ...reply, choices: [choice] }
}
const call = (id: string, city: string) => ({
  ...{ id, type: 'function' },
  function: { name: 'get_weather', arguments: JSON.stringify({ city }) },
})
const calling = (...cities: readonly string[]) =>
  whole(
    { content: null, tool_calls: cities.map((city, at) => call(`call_${at}`, city)) },
    'tool_calls',
  )
const failure = (status: number, message: string) =>
  json(status, { error: { message, type: 'invalid_request_error', param: null, code: null } })

/** A service that does all it is asked for. */
function served(request: Recorded, response: ServerResponse): void | Promise<void> {
  if (request.path === '/v1/models') return json(200, { data: [{ id: 'm-1' }] })(request, response)
  const body = request.json as unknown as Sent
  if (request.path === '/v1/embeddings') {
    const vector = (index: number) => ({ object: 'embedding', index, embedding: [0.1, 0.2, 0.3] })
    const usage = { prompt_tokens: 2, total_tokens: 2 }
    return json(200, { object: 'list', model: body.model, data: [vector(0), vector(1)], usage })(
      request,
      response,
    )
  }
  if (body.model !== 'm-1') return failure(404, `no model ${body.model}`)(request, response)
  if (body.stream === true) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(
      chat.role() +
        chat.delta('one ') +
        chat.delta('two') +
        chat.stop() +
        chat.usage(9, 3) +
        chat.done,
    )
    return
  }
  const words = JSON.stringify(body.messages)
  const isAnswered = body.messages?.some(({ role }) => role === 'tool')
  if (body.tools !== undefined && isAnswered !== true) {
    const cities = words.includes('Oslo') ? ['Paris', 'Oslo'] : ['Paris']
    return json(200, calling(...cities))(request, response)
  }
  const content = body.response_format === undefined ? 'pong' : '{"city":"Paris"}'
  return json(200, whole({ content }))(request, response)
}

async function lived(t: Test, script: typeof served, ...more: readonly string[]) {
  const upstream = await scriptedUpstream(t)
  upstream.script(script)
  const lines: string[] = []
  const args = ['1', '--model', 'm-1', '--key', key, '--base-url', upstream.url, ...more]
  const status = await run(args, (text) => lines.push(text))
  return { status, text: lines.join(''), lines, upstream }
}

t.test('a service that does all it is asked for passes every request', async (t) => {
  const { status, text, lines, upstream } = await lived(t, served, '--embedding-model', 'e-1')
  t.equal(status, 0, text)
  t.equal(lines.filter((line) => line.startsWith('passed')).length, 13, text)
  t.match(text, /^passed +text +\d+ ms +pong$/m)
  t.match(text, /^passed +stream .* 2 pieces in [\d.]+ s, with usage$/m)
  t.match(text, /^passed +parallel tool calls .* 2 calls$/m)
  t.match(text, /^passed +error .* 502 upstream_error$/m)
  t.match(text, /^passed +model list .* 1 models$/m)
  t.match(text, /^passed +embeddings .* 2 vectors of 3$/m)
  t.match(text, /\nEvery request passed\.\n$/)
  t.ok(upstream.requests.every(({ headers }) => headers.authorization === `Bearer ${key}`))
})

t.test('what a service does not do stands in its row, and the status is 1', async (t) => {
  const script = (request: Recorded, response: ServerResponse) => {
    const body = request.json as unknown as Sent | undefined
    const words = JSON.stringify(body?.messages ?? '')
    if (words.includes('image_url'))
      return failure(400, `Images are not supported. Key ${key}`)(request, response)
    if (words.includes('Oslo')) return json(200, calling('Paris'))(request, response)
    if (body?.response_format !== undefined)
      return json(200, whole({ content: 'Paris' }))(request, response)
    return served(request, response)
  }
  const { status, text } = await lived(t, script)
  t.equal(status, 1)
  t.match(text, /^failed +image .* 400: .*Images are not supported/m)
  t.match(text, /^failed +parallel tool calls .* 1 call where two were asked for$/m)
  t.match(text, /^failed +JSON schema /m)
  t.match(text, /^skipped +embeddings /m)
  t.match(text, /\n3 failed\.\n$/)
  t.notMatch(text, key)
})

t.test('some of the requests are sent alone', async (t) => {
  const { lines, upstream } = await lived(t, served, '--only', 'text, tool call')
  t.equal(lines.length, 3)
  t.equal(upstream.requests.length, 2)
})

const wrong: Readonly<Record<string, readonly [args: readonly string[], sentence: RegExp]>> = {
  'no type': [['--model', 'm', '--key', 'k'], /One channel type is expected/],
  'no model': [['1', '--key', 'k'], /--model names the model/],
  'no key': [['1', '--model', 'm'], /Either --key or --key-env/],
  'two keys': [['1', '--model', 'm', '--key', 'k', '--key-env', 'K'], /Either --key or --key-env/],
  'a variable that is not set': [
    ['1', '--model', 'm', '--key-env', 'NO_SUCH_KEY_4711'],
    /NO_SUCH_KEY_4711 is not set, or empty/,
  ],
  'a request there is not': [
    ['1', '--model', 'm', '--key', 'k', '--only', 'dance'],
    /"dance", which is none of/,
  ],
  'settings that are no object': [
    ['1', '--model', 'm', '--key', 'k', '--settings', '[1]'],
    /must be a JSON object/,
  ],
  'a type nobody serves': [
    ['none/none', '--model', 'm', '--key', 'k'],
    /names a channel type that no plugin serves/,
  ],
}

for (const [name, [args, sentence]] of Object.entries(wrong)) {
  t.test(`a command that means nothing is refused in a sentence: ${name}`, async (t) => {
    await t.rejects(
      run(args, () => {}),
      { message: sentence },
    )
  })
}

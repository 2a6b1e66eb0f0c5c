/** What the format writes, read by the client library most people use for it. */
import OpenAI from 'openai'
import t from 'tap'
import { body, results, stream } from './recorded.js'
import { decode, encodeBytes, format } from './wire.js'

function client(answer: Buffer | string, status = 200, type = 'text/event-stream'): OpenAI {
  return new OpenAI({
    apiKey: 'sk-test',
    baseURL: 'http://gateway.invalid/v1',
    maxRetries: 0,
    fetch: async () =>
      new Response(new Uint8Array(Buffer.from(answer)), {
        status,
        headers: { 'content-type': type },
      }),
  })
}

function json(answer: unknown, status = 200): OpenAI {
  return client(JSON.stringify(answer), status, 'application/json')
}

const ask = { model: 'm', input: 'Hi' } as const

const names = results.filter((name) => name !== 'whole-items')

t.test('[FMT-9] a whole response is read, its text put together', async (t) => {
  for (const name of names) {
    const written = format.encodeReply(format.decodeReply(body(name)), { model: 'm' })
    const read = await json(written).responses.create(ask)
    t.match(read.id, /^resp_/)
    t.match(read, { object: 'response', output: body(name).output })
  }
  const written = format.encodeReply(format.decodeReply(body('text')), { model: 'm' })
  const read = await json(written).responses.create(ask)
  t.equal(read.output_text, 'Grüße aus 北京 🚀 — "quoted" \\ and a\nnew line.')
  t.match(read.usage, {
    input_tokens: 2360,
    input_tokens_details: { cached_tokens: 2048, cache_write_tokens: 300 },
    output_tokens_details: { reasoning_tokens: 0 },
  })
})

t.test('[FMT-10] a stream is read to its end and adds up to the response', async (t) => {
  for (const name of names) {
    const bytes = encodeBytes(decode(stream(name)))
    const final = await client(bytes).responses.stream(ask).finalResponse()
    const { output } = await json(body(name)).responses.create(ask)
    t.match(final.output, output, name)
    t.equal(final.status, name === 'incomplete' ? 'incomplete' : 'completed', name)
    t.ok(final.usage?.output_tokens, name)
  }
})

t.test('[FMT-9] the pieces of a stream alone add up to what its items repeat', async (t) => {
  const bytes = encodeBytes(decode(stream('reasoning')))
  const events = await client(bytes).responses.create({ ...ask, stream: true })
  let text = ''
  let summary = ''
  const types: string[] = []
  for await (const event of events) {
    types.push(event.type)
    if (event.type === 'response.output_text.delta') text += event.delta
    if (event.type === 'response.reasoning_summary_text.delta') {
      summary += `${event.summary_index}${event.delta}`
    }
  }
  t.equal(text, '27 * 453 = 12,231')
  t.equal(summary, '0**Multiplying**\n\n027 * 453: first 27 * 400.1**Adding**1\n\nthen 27 * 53.')
  t.strictSame([types[0], types.at(-1)], ['response.created', 'response.completed'])
})

t.test('[FMT-9] parallel calls of functions are parsed', async (t) => {
  const bytes = encodeBytes(decode(stream('tools')))
  const { output } = await client(bytes).responses.stream(ask).finalResponse()
  const calls = output.flatMap((item) =>
    item.type === 'function_call' ? [`${item.call_id} ${item.name} ${item.arguments}`] : [],
  )
  t.strictSame(calls, ['call_one get_weather {"city":"München"}', 'call_two get_time {}'])
})

t.test(
  '[ERR-1] an error, whole or in the middle of a stream, is the library’s error',
  async (t) => {
    const error = {
      status: 403,
      message: 'no',
      type: 'billing_error',
      param: '',
      code: 'out_of_funds',
    }
    const { status, body: written } = format.encodeError(error)
    await t.rejects(json(written, status).responses.create(ask), {
      status: 403,
      code: 'out_of_funds',
      type: 'billing_error',
      param: '',
    })
    const begun = encodeBytes(decode(stream('text')))
    const bytes = Buffer.concat([
      begun.subarray(0, begun.indexOf('event: response.output_text.done')),
      format.encodeStreamError(error),
    ])
    const read = async () => {
      for await (const _ of await client(bytes).responses.create({ ...ask, stream: true }));
    }
    await t.rejects(read(), { code: 'out_of_funds', message: /no/ })
    await t.rejects(client(bytes).responses.stream(ask).finalResponse(), { code: 'out_of_funds' })
  },
)

/** What the format writes, read by the client library most people use for it. */
import OpenAI from 'openai'
import t from 'tap'
import type { Event } from '../../../../kernel/contract/event.js'
import create from '../../../../plugins/formats/chat/index.js'
import { streamFixture } from './fixture.js'

const chat = create()

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

function encoded(name: string): Buffer {
  const decoder = chat.decodeStream()
  const events: Event[] = [...decoder.push(streamFixture(name)), ...decoder.flush()]
  const encoder = chat.encodeStream({ model: 'm', wantsUsage: true })
  return Buffer.concat(events.flatMap((event) => encoder.push(event)))
}

const ask = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] } as const

t.test('[FMT-10] a stream is read to its end, text and usage whole', async (t) => {
  const stream = client(encoded('openai-text')).chat.completions.stream({
    ...ask,
    messages: [...ask.messages],
  })
  const answer = await stream.finalChatCompletion()
  t.equal(
    answer.choices[0]?.message.content,
    'Hello, "world"!\n It is 25 °C — 今天天气很好。 🎉 Bye.',
  )
  t.match(answer, { choices: [{ finish_reason: 'stop' }], usage: { prompt_tokens: 1117 } })
})

t.test('[FMT-7] parallel tool calls are put together', async (t) => {
  const stream = client(encoded('openai-parallel-tools')).chat.completions.stream({
    ...ask,
    messages: [...ask.messages],
  })
  const { choices } = await stream.finalChatCompletion()
  const calls = choices[0]?.message.tool_calls?.map((call) =>
    call.type === 'function' ? `${call.id} ${call.function.arguments}` : '',
  )
  t.strictSame(calls, ['call_one {"city":"Paris","unit":"c"}', 'call_two {"city":"北京"}'])
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
    const { status, body } = chat.encodeError(error)
    const whole = client(JSON.stringify(body), status, 'application/json')
    await t.rejects(whole.chat.completions.create({ ...ask, messages: [...ask.messages] }), {
      status: 403,
      code: 'out_of_funds',
      type: 'billing_error',
      param: '',
    })
    const begun = encoded('openai-text')
    const bytes = Buffer.concat([
      begun.subarray(0, begun.indexOf('\n\n') + 2),
      chat.encodeStreamError(error),
    ])
    const stream = await client(bytes).chat.completions.create({
      ...ask,
      messages: [...ask.messages],
      stream: true,
    })
    const read = async () => {
      for await (const _ of stream);
    }
    await t.rejects(read(), { code: 'out_of_funds' })
  },
)

/**
 * An upstream sends one event of a stream that is dear to read: megabytes of text, of tiny objects, of keys that never
 * repeat. Whatever is parsed in one go is small enough that nobody waits for long (decision 0065).
 */
import t from 'tap'
import type { Event } from '../../kernel/contract/event.js'
import type { Format } from '../../kernel/contract/format.js'
import { limits } from '../../kernel/toolkit/limits/limits.js'
import chat from '../../plugins/formats/chat/index.js'
import generative from '../../plugins/formats/generative/index.js'
import messages from '../../plugins/formats/messages/index.js'
import responses from '../../plugins/formats/responses/index.js'
import { cpuMs, distinctKeys, least, turnMsMax } from '../kit/turn.js'

const MiB = 1024 * 1024
const many = (item: string, bytes: number) => item.repeat(Math.floor(bytes / item.length))
const settings = { string: () => '', number: () => 0, boolean: () => false, json: () => ({}) }
const formats = [chat, messages, generative, responses].map((create) =>
  (create as unknown as (kit: object) => Format)({ settings }),
)

/** An event of each format: what comes before it, and around the JSON value it holds. */
const around: Readonly<Record<string, readonly [before: string, head: string, tail: string]>> = {
  chat: ['', '{"choices":[{"index":0,"delta":{"content":"Hi"}}],"x":', '}'],
  messages: [
    '',
    '{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}},"x":',
    '}',
  ],
  generative: [
    '',
    '{"candidates":[{"content":{"role":"model","parts":[{"text":"Hi"}]}}],"x":',
    '}',
  ],
  responses: [
    '',
    '{"type":"response.created","response":{"id":"r","object":"response","status":"in_progress","output":[]},"x":',
    '}',
  ],
}

/** Each was read in one go before, up to 32 MiB of it. */
const values: readonly (readonly [name: string, json: string])[] = [
  ['one text', `"${many('A', 31 * MiB)}"`],
  ['escapes', `"${many('\\n', 31 * MiB)}"`],
  ['empty objects', `[${many('{},', 0.29 * MiB)}0]`],
  ['objects', `[${many('{"k":1},', 0.79 * MiB)}0]`],
  ['keys that never repeat', distinctKeys(4 * MiB)],
  ['numbers', `[${many('0.12345678,', 30 * MiB)}0]`],
  ['objects that are taken', `[${many('{"k":1},', 0.3 * MiB)}0]`],
  ['keys that are taken', distinctKeys(0.48 * MiB)],
  ['numbers that are taken', `[${many('0.12345678,', 3 * MiB)}0]`],
  ['a text that is taken', `"${many('A', 7.9 * MiB)}"`],
]

/** The longest stretch of work between two chunks, ms of this process alone. */
function longest(chunks: Buffer, take: (chunk: Buffer) => void): number {
  let most = 0
  for (let from = 0; from < chunks.length; from += 64 * 1024) {
    const before = cpuMs()
    take(chunks.subarray(from, from + 64 * 1024))
    most = Math.max(most, cpuMs() - before)
  }
  return most
}

const msMax = turnMsMax()

for (const format of formats) {
  const [before, head, tail] = around[format.name]!
  const event = (json: string) => Buffer.from(`${before}data: ${head}${json}${tail}\n\n`)

  t.test(`[ERR-2] no event of ${format.name} takes long to convert`, async (t) => {
    for (const [name, json] of values) {
      const bytes = event(json)
      const ms = least(() => {
        const decoder = format.decodeStream()
        const events: Event[] = []
        return longest(bytes, (chunk) => events.push(...decoder.push(chunk)))
      })
      t.ok(ms < msMax, `${name}: ${ms.toFixed(1)} ms`)
    }
  })

  t.test(`[ERR-2] no event of ${format.name} takes long to pass`, async (t) => {
    for (const [name, json] of values) {
      const bytes = event(json)
      const ms = least(() => {
        const watch = format.watch({
          model: 'm',
          wantsUsage: true,
          hints: undefined,
          limits: {},
        } as never)
        return longest(bytes, (chunk) => watch.push(chunk))
      })
      t.ok(ms < msMax, `${name}: ${ms.toFixed(1)} ms`)
    }
  })
}

t.test(
  '[ERR-2] a picture that is taken is written to any client without a long turn',
  async (t) => {
    const generative = formats.find(({ name }) => name === 'generative')!
    const data = many('A', limits.wholeEventBytesMax - 4096)
    const picture = `{"candidates":[{"content":{"role":"model","parts":[{"inlineData":{"mimeType":"image/png","data":"${data}"}}]}}]}`
    const bytes = Buffer.from(`data: ${picture}\n\n`)
    for (const client of formats) {
      let written = 0
      const ms = least(() => {
        written = 0
        const decoder = generative.decodeStream()
        const encoder = client.encodeStream({
          model: 'm',
          wantsUsage: true,
          hints: undefined,
        } as never)
        return longest(bytes, (chunk) => {
          for (const event of decoder.push(chunk)) {
            for (const out of encoder.push(event)) written += out.length
          }
        })
      })
      t.comment(`${client.name}: ${written} bytes`)
      t.ok(ms < 2 * msMax, `${client.name}: ${ms.toFixed(1)} ms`)
    }
  },
)

t.test(
  '[ERR-2] the end of a response is read however much stands in it, or breaks it off',
  async (t) => {
    const format = formats.find(({ name }) => name === 'responses')!
    for (const [name, json] of values) {
      const watch = format.watch({
        model: 'm',
        wantsUsage: true,
        hints: undefined,
        limits: {},
      } as never)
      watch.push(
        Buffer.from('data: {"type":"response.output_text.delta","delta":"Hi","item_id":"i"}\n\n'),
      )
      const end = `{"type":"response.completed","response":{"id":"r","status":"completed","usage":{"input_tokens":3,"output_tokens":2},"output":[],"x":${json}}}`
      const ms = longest(Buffer.from(`data: ${end}\n\n`), (chunk) => watch.push(chunk))
      t.ok(ms < msMax, `${name}: ${ms.toFixed(1)} ms`)
      t.ok(watch.ended || watch.failure?.code === 'upstream_too_large', name)
    }
  },
)

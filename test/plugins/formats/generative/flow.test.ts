/** Generative streams on the line: what deliver sees of them, passed on as they are and converted. */
import t from 'tap'
import type { Format, RequestHints } from '../../../../kernel/contract/format.js'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import type { Opened } from '../../../../kernel/contract/line/record.js'
import type { EventsReply } from '../../../../kernel/contract/line/reply.js'
import { type Flow, flowOf } from '../../../../kernel/pipeline/flow.js'
import chatFormat from '../../../../plugins/formats/chat/index.js'
import { stream } from './recorded.js'
import { asArray, format, hints } from './wire.js'

function flowing(client: Format, address: RequestHints, mode: EventsReply['mode']): Flow {
  const state = {
    format: client,
    model: 'asked',
    wantsUsage: true,
    hints: address,
    receivedAt: 0,
    call: () => ({}),
  }
  return flowOf(state as unknown as Opened, { mode } as EventsReply)
}

function verbatim(address: RequestHints): Flow {
  const watch = format.watch({ wantsUsage: true, hints: address })
  return flowing(format, address, { kind: 'verbatim', watch, head: [] })
}

function converted(upstream: Format, client: Format, address: RequestHints): Flow {
  return flowing(client, address, { kind: 'converted', decoder: upstream.decodeStream(), head: [] })
}

interface Outcome {
  readonly text: string
  /** Whether the flow had ended before the upstream closed. */
  readonly endedEarly: boolean
  readonly ended: boolean
}

function readResult(flow: Flow, bytes: Buffer): Outcome {
  const out = [flow.head(), flow.push(bytes)]
  const endedEarly = flow.ended
  if (!endedEarly) out.push(flow.flush())
  return { text: Buffer.concat(out).toString('utf8'), endedEarly, ended: flow.ended }
}

t.test('[FMT-10] a stream ends when the upstream closes, on every way through', async (t) => {
  const ways: readonly (readonly [string, () => Flow])[] = [
    ['as it is', () => verbatim(hints)],
    ['as an array', () => verbatim(asArray)],
    ['to chat', () => converted(format, chatFormat(), hints)],
    ['from its own events', () => converted(format, format, asArray)],
  ]
  for (const [name, flow] of ways) {
    const whole = readResult(flow(), stream('thinking'))
    t.equal(whole.endedEarly, false, name)
    t.equal(whole.ended, true, name)
    const half = readResult(flow(), stream('thinking').subarray(0, 900))
    t.equal(half.ended, false, `${name}, broken off`)
  }
  t.match(
    readResult(converted(format, chatFormat(), hints), stream('thinking')).text,
    /\[DONE\]\n\n$/,
  )
})

t.test('what the reader of an array gets is one', async (t) => {
  const passed = JSON.parse(readResult(verbatim(asArray), stream('thinking')).text) as JsonObject[]
  t.equal(passed.length, 5)
  t.match(passed.at(-1), { candidates: [{ finishReason: 'STOP' }], usageMetadata: {} })
  const chunk = (choice: JsonObject) =>
    `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, ...choice }] })}\n\n`
  const chat = Buffer.from(
    `${chunk({ delta: { content: 'Hi' } })}${chunk({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`,
  )
  const made = readResult(converted(chatFormat(), format, asArray), chat)
  t.equal(made.endedEarly, true, 'chat states its end itself')
  t.match(JSON.parse(made.text), [
    { candidates: [{ content: { parts: [{ text: 'Hi' }] } }] },
    { candidates: [{ finishReason: 'STOP' }] },
  ])
})

t.test('counts and usage are the same on both ways', async (t) => {
  for (const name of ['text', 'thinking', 'tools', 'search', 'image']) {
    const [passed, decoded] = [verbatim(hints), converted(format, chatFormat(), hints)] as const
    for (const flow of [passed, decoded]) readResult(flow, stream(name))
    t.strictSame(passed.usage, decoded.usage, name)
    t.strictSame(passed.raw, decoded.raw, name)
    t.equal(passed.estimatedTokens, decoded.estimatedTokens, name)
  }
})

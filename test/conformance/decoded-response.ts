/** What the events of an answer come to, as a client would have read it. */
import assert from 'node:assert/strict'
import type { Event, Stop, Usage } from '../../kernel/contract/event.js'
import type { Failure } from '../../kernel/contract/failure.js'
import { usageOf } from './events.js'

/** What recorded bytes say: an answer, or whose fault it is that there is none. */
export type DecodedResponse =
  | {
      readonly text?: string
      readonly reasoning?: string
      /** Calls of tools in order; `input` is the JSON text of each, put together. */
      readonly tools?: readonly { readonly name: string; readonly input: string }[]
      readonly stop: Stop
      /** Disjoint counts, as the bytes report them. Absent: they report none. */
      readonly usage?: Usage
    }
  | { readonly failure: Failure['blame'] }

export interface ReadAnswer {
  readonly text: string
  readonly reasoning: string
  readonly tools: readonly { readonly name: string; readonly input: string }[]
  readonly stops: readonly Stop[]
  readonly usage: Usage | undefined
  readonly failures: readonly Failure['blame'][]
  readonly ends: number
}

export function readAnswer(events: readonly Event[]): ReadAnswer {
  const written = { text: '', reasoning: '' }
  const tools: { name: string; input: string }[] = []
  const open = new Map<string, { add(delta: Extract<Event, { type: 'delta' }>): void }>()
  for (const event of events) {
    if (!('at' in event)) continue
    const place = `${event.at.choice}/${event.at.part}`
    if (event.type === 'delta') open.get(place)?.add(event)
    if (event.type !== 'open') continue
    const { part } = event
    if (part.kind === 'toolCall') {
      const tool = { name: part.name, input: '' }
      tools.push(tool)
      open.set(place, {
        add: ({ json = '' }) => {
          tool.input += json
        },
      })
    } else if (part.kind === 'text' || part.kind === 'reasoning') {
      const { kind } = part
      open.set(place, {
        add: ({ text = '' }) => {
          written[kind] += text
        },
      })
    }
  }
  return {
    ...written,
    tools,
    stops: events.flatMap((event) => (event.type === 'stop' ? [event.reason] : [])),
    usage: usageOf(events),
    failures: events.flatMap((event) => (event.type === 'failure' ? [event.failure.blame] : [])),
    ends: events.filter(({ type }) => type === 'end').length,
  }
}

export function assertDecoded(read: ReadAnswer, expected: DecodedResponse): void {
  if ('failure' in expected) {
    assert.deepEqual(read.failures, [expected.failure], 'the failure, once')
    assert.equal(read.ends, 0, 'what failed has no end')
    return
  }
  const { text = '', reasoning = '', tools = [], stop, usage } = expected
  assert.deepEqual(read.failures, [], 'nothing failed')
  assert.equal(read.text, text, 'the text')
  assert.equal(read.reasoning, reasoning, 'the reasoning')
  assert.deepEqual(read.tools, tools, 'the calls of tools')
  assert.deepEqual(read.stops, [stop], 'the reason to stop, once')
  assert.deepEqual(read.usage, usage, 'the counts')
  for (const [name, count] of Object.entries(usage ?? {})) {
    if (typeof count !== 'number') continue
    assert.ok(Number.isInteger(count) && count >= 0, `${name} is a count`)
  }
}

/** The beginning of an answer: no more than the whole of it, and never the end of something shorter. */
export function assertBeginning(part: ReadAnswer, whole: ReadAnswer, cut: string): void {
  assert.ok(whole.text.startsWith(part.text), `${cut}: the text is the beginning of the text`)
  assert.ok(whole.reasoning.startsWith(part.reasoning), `${cut}: so is the reasoning`)
  for (const [index, { name, input }] of part.tools.entries()) {
    assert.equal(name, whole.tools[index]?.name, `${cut}: the name of a tool`)
    // No input and an empty one are the same; a call that was cut has neither yet.
    if (part.ends === 0 && input === '{}') continue
    assert.ok(whole.tools[index]?.input.startsWith(input), `${cut}: the input of a tool`)
  }
  if (part.ends === 0) return
  const { usage: _, ...complete } = whole
  const { usage: __, ...result } = part
  assert.deepEqual(result, complete, `${cut}: an end stands behind a whole answer only`)
}

/** Whole answers of upstreams in a known format: read as a failure or as events, billed in whole counts, written for any client. */
import fc from 'fast-check'
import type { Event } from '../../../kernel/contract/event.js'
import type { FormatName } from '../../../kernel/contract/names.js'
import { frozen } from '../../conformance/kit.js'
import { assertBillable, assertEvents, assertFailure } from '../assertions.js'
import { answersIn, formats } from '../formats.js'
import { mutatedJson } from '../mutations.js'
import type { Target } from '../target.js'

interface Input {
  readonly format: FormatName
  readonly text: string
}

const names = Object.keys(formats) as FormatName[]

export const replies: Target<Input> = {
  name: 'replies',
  inputs: fc.oneof(
    ...names.map((format) =>
      fc.record({ format: fc.constant(format), text: mutatedJson(answersIn(format)) }),
    ),
  ),
  check({ format: name, text }) {
    const value = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return
    const body = text.includes('"__proto__"') ? value : frozen(value)
    const { usage, estimatedTokens, failure } = formats[name].readReply(body)
    assertBillable(usage, estimatedTokens)
    assertFailure(failure)
    const events = formats[name].decodeReply(body)
    assertEvents(events)
    for (const other of names) assertWritten(other, events)
  },
}

/** Whoever reads the events, in one piece or as a stream. */
export function assertWritten(name: FormatName, events: readonly Event[]): void {
  if (events.some(({ type }) => type === 'failure')) return
  const reader = { model: 'm', requestId: 'req_1', wantsUsage: true }
  JSON.stringify(formats[name].encodeReply(events, reader))
  const encoder = formats[name].encodeStream(reader)
  for (const event of events) encoder.push(event)
  encoder.flush()
}

/** Streams of upstreams in a known format: decoded or watched, the same however they are cut, billed in whole counts. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Event } from '../../../kernel/contract/event.js'
import type { FormatName } from '../../../kernel/contract/names.js'
import { joined } from '../../conformance/events.js'
import { assertBillable, assertEvents, assertFailure } from '../assertions.js'
import { answersIn, formats, streamsIn } from '../formats.js'
import {
  type Bytes,
  bufferOf,
  bytesIn,
  cuts,
  mutatedBytes,
  mutatedEvents,
  mutatedJson,
  piecesOf,
} from '../mutations.js'
import type { Target } from '../target.js'
import { assertWritten } from './replies.js'

interface Input {
  readonly format: FormatName
  readonly bytes: Bytes
  readonly cuts: readonly number[]
}

const names = Object.keys(formats) as FormatName[]
const tokens = [
  'data: ',
  'event: ',
  '\r\n',
  '\n\n',
  '[DONE]',
  'null',
  '{}',
  '-1',
  '1e999',
  '"usage":',
  '"error":{},',
]

export const streams: Target<Input> = {
  name: 'streams',
  inputs: fc.oneof(
    ...names.map((format) =>
      fc.record({
        format: fc.constant(format),
        bytes: fc.oneof(
          mutatedBytes(streamsIn(format), tokens),
          mutatedEvents(streamsIn(format)),
          eventsOf(format),
          changedEvents(format),
        ),
        cuts,
      }),
    ),
  ),
  check({ format, bytes, cuts }) {
    const buffer = bufferOf(bytes)
    const events = decoded(format, [buffer])
    assertEvents(events)
    assert.deepEqual(joined(decoded(format, piecesOf(buffer, cuts))), joined(events), 'the events')
    for (const name of names) assertWritten(name, events)
    const whole = watched(format, [buffer])
    const cut = watched(format, piecesOf(buffer, cuts))
    assert.deepEqual(cut.billed, whole.billed, 'what is billed')
    assert.equal(cut.passed, whole.passed, 'what is passed on, but for the last half of a line end')
  },
}

/** A few changed events in a row. */
function eventsOf(format: FormatName): fc.Arbitrary<Bytes> {
  const event = mutatedJson(answersIn(format))
  return fc
    .array(event, { minLength: 1, maxLength: 6 })
    .map((list) => bytesIn(list.map((text) => `data: ${text}\n\n`).join('')))
}

/** A recorded stream in which the JSON of one event is changed. */
function changedEvents(format: FormatName): fc.Arbitrary<Bytes> {
  const made = fc.tuple(
    fc.constantFrom(...streamsIn(format)),
    mutatedJson(answersIn(format)),
    fc.nat(),
  )
  return made.map(([stream, text, at]) => {
    const lines = stream.split('\n')
    const places = lines.flatMap((line, index) => (line.startsWith('data: {') ? [index] : []))
    if (places.length === 0) return stream
    return lines.with(places[at % places.length]!, `data: ${bytesIn(text)}`).join('\n')
  })
}

function decoded(name: FormatName, pieces: readonly Buffer[]): Event[] {
  const decoder = formats[name].decodeStream()
  return [...pieces.flatMap((piece) => decoder.push(piece)), ...decoder.flush()]
}

function watched(name: FormatName, pieces: readonly Buffer[]) {
  const watch = formats[name].watch({ wantsUsage: false })
  const passed: string[] = []
  for (const piece of pieces) passed.push(watch.push(piece).toString('latin1'))
  passed.push(watch.flush().toString('latin1'))
  const { usage, estimatedTokens, failure, ended, started } = watch
  assertBillable(usage, estimatedTokens)
  assertFailure(failure)
  return { passed: passed.join('').replace(/\n$/, ''), billed: { usage, failure, ended, started } }
}

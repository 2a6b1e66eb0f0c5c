/** Answers of upstreams as their providers read them: events, an answer in the operation's form or a failure, and nothing thrown. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Adapter } from '../../../kernel/contract/provider.js'
import { joined } from '../../conformance/events.js'
import { assertBillable, assertEvents, assertFailure, orRefused } from '../assertions.js'
import { answers, awsStreams, streams } from '../corpus.js'
import { formats } from '../formats.js'
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
import { requests } from '../requests.js'
import { bodyOf, type Subject, subjects } from '../subjects.js'
import type { Target } from '../target.js'
import { withSums } from './event-stream.js'

interface Input {
  /** Of all adapters, modulo their number. */
  readonly adapter: number
  readonly bytes: Bytes
  readonly cuts: readonly number[]
  readonly status: number
}

const json = mutatedJson(answers.map(({ content }) => content))
const event = fc
  .array(json, { maxLength: 6 })
  .map((list) => list.map((text) => `data: ${text}\n\n`).join(''))
const named = fc.tuple(fc.constantFrom(...streams.map(({ content }) => content)), json, fc.nat())
const tokens = [
  'data: ',
  'event: ',
  '\n\n',
  'null',
  '{}',
  '1e999',
  '"error":',
  '"usage":',
  '[DONE]',
]

export const providers: Target<Input> = {
  name: 'providers',
  inputs: fc.record({
    adapter: fc.nat(10_000),
    bytes: fc.oneof(
      json.map(bytesIn),
      event.map(bytesIn),
      mutatedEvents(streams.map(({ content }) => content)),
      named.map(([stream, text, at]) => replaced(stream, text, at)),
      mutatedBytes(
        streams.map(({ content }) => content),
        tokens,
      ),
      mutatedBytes(awsStreams).map((bytes) =>
        bytesIn(withSums(bufferOf(bytes)).toString('latin1')),
      ),
    ),
    cuts,
    status: fc.integer({ min: 100, max: 599 }),
  }),
  check({ adapter: at, bytes, cuts, status }) {
    const subject = subjects[at % subjects.length]!
    const buffer = bufferOf(bytes)
    assertRefusal(subject, buffer, status)
    assertStream(subject, buffer, piecesOf(buffer, cuts))
    assertAnswer(subject, buffer)
    assertRequests(subject, buffer, status)
    assertRequest(subject, parsed(buffer))
  },
}

function replaced(stream: Bytes, text: string, at: number): Bytes {
  const lines = stream.split('\n')
  const places = lines.flatMap((line, index) => (line.startsWith('data: ') ? [index] : []))
  if (places.length === 0) return stream
  return lines.with(places[at % places.length]!, `data: ${bytesIn(text)}`).join('\n')
}

function assertRefusal({ adapter }: Subject, head: Buffer, status: number): void {
  assertFailure(
    adapter.fail(status, { 'content-type': 'application/json', 'retry-after': '5' }, head),
  )
  const body = parsed(head)
  if (body !== undefined) assertFailure(adapter.failureIn?.(body))
}

function assertStream({ adapter }: Subject, whole: Buffer, pieces: readonly Buffer[]): void {
  if (adapter.unframe !== undefined) {
    const unframed = (parts: readonly Buffer[]) => {
      const transform = adapter.unframe!()
      return Buffer.concat([...parts.flatMap((part) => transform.push(part)), ...transform.flush()])
    }
    const bytes = unframed([whole])
    assert.ok(unframed(pieces).equals(bytes), 'unframed')
    if (isForm(adapter.format)) return
    const decoder = formats[adapter.format].decodeStream()
    assertEvents([...decoder.push(bytes), ...decoder.flush()])
  }
  if (adapter.read === undefined) return
  const read = (parts: readonly Buffer[]) => {
    const reader = adapter.read!()
    return [...parts.flatMap((part) => reader.push(part)), ...reader.flush()]
  }
  const events = read([whole])
  assertEvents(events)
  assert.deepEqual(joined(read(pieces)), joined(events), 'the events')
}

/** Whole answers of status 200, in words of the upstream's own. */
function assertAnswer({ adapter, operation }: Subject, body: Buffer): void {
  if (adapter.answer === undefined) return
  for (const type of ['application/json', 'audio/mpeg', '']) {
    const whole = { status: 200, headers: { 'content-type': type }, body }
    const answer = orRefused(() => adapter.answer!(whole, bodyOf(operation), 'm'))
    if (answer === undefined) continue
    if ('failure' in answer) assertFailure(answer.failure)
    else if ('bytes' in answer) assertBillable(answer.usage, 0)
    else if ('json' in answer) JSON.stringify(answer.json)
    else assertBillable(answer.usage, 0)
  }
}

/** Lists of models, and balances. */
function assertRequests(
  { provider: { models, balance } }: Subject,
  body: Buffer,
  status: number,
): void {
  for (const one of [200, status]) {
    const answer = { status: one, headers: {}, body }
    for (const read of [models?.read(answer), balance?.read(answer)]) {
      if (read === undefined) continue
      if ('failure' in read) assertFailure(read.failure)
      else assertRead(read.value)
    }
  }
}

function assertRead(value: string | readonly string[]): void {
  if (typeof value === 'string') assert.match(value, /^-?\d+(\.\d+)?$/, 'the balance')
  else for (const name of value) assert.equal(typeof name, 'string', 'the name of a model')
}

function isForm(format: Adapter['format']): format is 'own' | 'same' | 'task' {
  return format === 'own' || format === 'same' || format === 'task'
}

/** What clients wrote and a format has checked. */
function assertRequest({ adapter, channel }: Subject, seed: unknown): void {
  const { format } = adapter
  if (isForm(format)) return
  for (const request of requests[format]) {
    const wire =
      typeof seed === 'object' && seed !== null ? { ...request, metadata: seed as never } : request
    const spelled = orRefused(() => adapter.adjust?.(wire, channel)) ?? wire
    const refused = orRefused(() => adapter.refuses?.(spelled, channel, 'm')) ?? []
    assert.ok(refused.every((name) => typeof name === 'string'))
  }
}

function parsed(bytes: Buffer) {
  try {
    const value = JSON.parse(bytes.toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The part of the format kit that replays replies: bodies and streams, cut anywhere, must say the same. */
import assert from 'node:assert/strict'
import type { Event } from '../../kernel/contract/event.js'
import type { Format } from '../../kernel/contract/format.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import { assertWellFormed, ends, joined, usageOf } from './events.js'
import { cuttings, frozen, run, type TestFunction } from './kit.js'

export interface ReplyCase {
  readonly name: string
  /** The whole body. Absent: this reply only exists as a stream. */
  readonly body?: JsonObject
  /** The same reply as a stream. */
  readonly stream: Buffer
  /** Fields of a body its stream does not tell. */
  readonly omittedFields?: readonly string[]
}

export function conformingStreams(
  test: TestFunction,
  format: Format,
  replies: readonly ReplyCase[],
): void {
  for (const reply of replies) {
    const { name, stream } = reply
    test(`stream ${name}: the same events at every cut, one end`, () =>
      sameAtEveryCut(format, reply))
    test(`stream ${name}: line ends, comments and a byte order mark change nothing`, () =>
      sameInEveryDialect(format, reply))
    test(`stream ${name}: cut short it never ends`, () => neverEndsShort(format, reply))
    test(`stream ${name}: watched, it passes as it is and counts the same`, () =>
      watchedAtEveryCut(format, reply))
    test(`stream ${name}: written again it means the same`, () => {
      const events = run(format.decodeStream(), [stream])
      assertRewritten(format, events)
    })
    if (reply.body === undefined) continue
    const body = reply.body
    test(`body ${name}: folds to what its stream folds to`, () => foldsAlike(format, reply, body))
  }
}

function sameAtEveryCut(format: Format, { name, stream }: ReplyCase): void {
  const events = run(format.decodeStream(), [stream])
  assertWellFormed(events, name)
  for (const { name: cut, pieces } of cuttings(stream)) {
    const again = run(format.decodeStream(), pieces)
    assert.deepEqual(again, events, cut)
  }
}

function sameInEveryDialect(format: Format, { stream }: ReplyCase): void {
  const events = run(format.decodeStream(), [stream])
  const text = stream.toString('utf8').replaceAll('\r\n', '\n')
  const dialects = {
    CRLF: text.replaceAll('\n', '\r\n'),
    CR: text.replaceAll('\n', '\r'),
    'byte order mark': `\uFEFF${text}`,
    comments: `: hello\n\n${text.replaceAll(/^data:/gm, ': keep-alive\ndata:')}`,
    'no space': text.replaceAll('data: ', 'data:'),
  }
  for (const [name, dialect] of Object.entries(dialects)) {
    assert.deepEqual(run(format.decodeStream(), [Buffer.from(dialect)]), events, name)
    const watch = format.watch({ wantsUsage: true })
    const passed = Buffer.concat([watch.push(Buffer.from(dialect)), watch.flush()])
    assert.equal(lines(passed), dialect.trimEnd(), name)
    assert.ok(watch.ended && watch.failure === undefined, name)
  }
}

function neverEndsShort(format: Format, { stream }: ReplyCase): void {
  const half = stream.subarray(0, stream.length / 2)
  assert.equal(ends(run(format.decodeStream(), [half])), 0)
  const watch = format.watch({ wantsUsage: true })
  watch.push(half)
  watch.flush()
  assert.equal(watch.ended, false)
}

function watchedAtEveryCut(format: Format, { stream }: ReplyCase): void {
  const events = run(format.decodeStream(), [stream])
  const speaks = events.some((event) => event.type === 'delta' && (event.text || event.json))
  let estimatedTokens: number | undefined
  for (const { name, pieces } of cuttings(stream)) {
    const watch = format.watch({ wantsUsage: true })
    assert.equal(watch.started, false, name)
    const passed = [...pieces.map((piece) => Buffer.from(watch.push(piece))), watch.flush()]
    assert.equal(lines(Buffer.concat(passed)), lines(stream), name)
    assert.ok(watch.started && watch.ended, name)
    assert.equal(watch.failure, undefined, name)
    assert.deepEqual(watch.usage, usageOf(events), name)
    estimatedTokens ??= watch.estimatedTokens
    assert.equal(watch.estimatedTokens, estimatedTokens, name)
    if (speaks) assert.ok(watch.estimatedTokens > 0, name)
  }
}

/** Line ends behind the last event are nothing to anybody. */
function lines(bytes: Buffer): string {
  return bytes.toString('utf8').trimEnd()
}

function assertRewritten(format: Format, events: readonly Event[]): void {
  const call = { model: 'model-asked-for', wantsUsage: true }
  const folded = format.encodeReply(events, call)
  const written = Buffer.concat(run(format.encodeStream(call), events))
  const again = run(format.decodeStream(), [written])
  assertWellFormed(again, 'written again')
  assert.deepEqual(format.encodeReply(again, call), folded)
  assert.deepEqual(joined(again.filter(isContent)), joined(events.filter(isContent)))
}

function isContent({ type }: Event): boolean {
  return type === 'open' || type === 'delta' || type === 'close' || type === 'stop'
}

function foldsAlike(
  format: Format,
  { stream, omittedFields = [] }: ReplyCase,
  body: JsonObject,
): void {
  const call = { model: 'model-asked-for' }
  const streamed = run(format.decodeStream(), [stream])
  const whole = format.decodeReply(frozen(body))
  assertWellFormed(whole, 'body')
  assert.deepEqual(format.decodeReply(frozen(body)), whole, 'decoding twice is decoding once')
  const without = (value: unknown) =>
    Object.fromEntries(
      Object.entries(value as JsonObject).filter(([key]) => !omittedFields.includes(key)),
    )
  assert.deepEqual(
    without(format.encodeReply(streamed, call)),
    without(format.encodeReply(whole, call)),
  )
  assert.deepEqual(usageOf(streamed), usageOf(whole))
  assert.deepEqual(format.readReply(frozen(body)).usage, usageOf(whole))
}

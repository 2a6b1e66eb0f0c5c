/** An answer of the Converse API as canonical events: frames of a stream, or one body as the stream it would be. */
import type { Event } from '../../../kernel/contract/event.js'
import type { Transform } from '../../../kernel/contract/format.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { Collector } from '../../../kernel/toolkit/body/index.js'
import { failureOfError } from '../../../kernel/toolkit/errors/index.js'
import { replyObject } from '../../../kernel/toolkit/json/index.js'
import { errorFields, exceptionName } from '../fail.js'
import { type EventFrame, EventFrames } from '../frames.js'
import { ConverseDecoder } from './decode.js'

export function readConverse(): Transform<Buffer, Event> {
  return new ConverseReader()
}

const BRACE = 0x7b

class ConverseReader implements Transform<Buffer, Event> {
  private readonly decoder = new ConverseDecoder()
  private readonly frames = new EventFrames()
  /** The pieces of a whole body; undefined: it is a stream, or nothing came yet. */
  private body: Collector | undefined
  private begun = false
  private broken = false

  push(chunk: Buffer): Event[] {
    if (this.broken || chunk.length === 0) return []
    // A frame begins with its length, of which the first byte is 0 or 1.
    if (!this.begun && chunk[0] === BRACE) this.body = new Collector()
    this.begun = true
    if (this.body === undefined) return this.framed(chunk)
    this.body.add(chunk)
    return []
  }

  flush(): Event[] {
    if (this.broken) return []
    if (this.body === undefined) return this.decoder.end()
    const whole = replyObject(this.body.all())
    if (whole === undefined || !isObject(whole.output)) return this.fail(failureEvent('', {}))
    return [...asStream(whole, whole.output)].flatMap(([name, event]) =>
      this.decoder.decode(name, event),
    )
  }

  private framed(chunk: Buffer): Event[] {
    const events = this.frames.push(chunk).flatMap((frame) => this.frame(frame))
    if (!this.frames.broken || this.broken) return events
    return [...events, ...this.fail(failureEvent('', {}))]
  }

  private frame({ kind, name, payload }: EventFrame): Event[] {
    if (this.broken) return []
    const event = replyObject(payload) ?? {}
    if (kind !== 'event') return this.fail(failureEvent(exceptionName(name), event))
    return this.decoder.decode(name, event)
  }

  private fail(event: Event): Event[] {
    this.broken = true
    return [event]
  }
}

/** HTTP statuses the exceptions of a stream stand for, as its API reference has them. */
const statuses: Readonly<Record<string, number>> = {
  ValidationException: 400,
  ModelTimeoutException: 408,
  ModelStreamErrorException: 424,
  ThrottlingException: 429,
  InternalServerException: 500,
  ServiceUnavailableException: 503,
}

function failureEvent(name: string, body: JsonObject): Event {
  const failure = failureOfError(errorFields(name, body), statuses[name] ?? 200)
  return { type: 'failure', failure }
}

/** The events of this body. */
function* asStream(
  { stopReason, usage }: JsonObject,
  { message }: JsonObject,
): Generator<readonly [string, JsonObject]> {
  const content = isObject(message) && Array.isArray(message.content) ? message.content : []
  yield ['messageStart', {}]
  for (const [contentBlockIndex, block] of content.filter(isObject).entries()) {
    yield* asBlock(contentBlockIndex, block)
  }
  yield ['messageStop', { stopReason }]
  yield ['metadata', { usage }]
}

function* asBlock(
  contentBlockIndex: number,
  { text, toolUse, reasoningContent }: JsonObject,
): Generator<readonly [string, JsonObject]> {
  const delta = (reported: JsonObject) =>
    ['contentBlockDelta', { contentBlockIndex, delta: reported }] as const
  if (text !== undefined) yield delta({ text })
  if (isObject(reasoningContent)) yield delta({ reasoningContent: reasoningText(reasoningContent) })
  if (isObject(toolUse)) {
    yield ['contentBlockStart', { contentBlockIndex, start: { toolUse } }]
    yield delta({ toolUse: { input: JSON.stringify(toolUse.input ?? {}) } })
  }
  yield ['contentBlockStop', { contentBlockIndex }]
}

function reasoningText({ reasoningText: reported }: JsonObject): Json {
  return isObject(reported) ? { text: reported.text } : {}
}

/** An answer as canonical events: server-sent events, or one body told as the stream it would be. */
import type { Event } from '../../../kernel/contract/event.js'
import type { Transform } from '../../../kernel/contract/format.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { Refusal } from '../../../kernel/errors.js'
import { objectOf, parsedObject } from '../../../kernel/wire/operation-answer.js'
import { type Frame, SseFramer } from '../../../kernel/wire/sse.js'
import { ChatDecoder } from './decode.js'

export function readChat(): Transform<Buffer, Event> {
  return new ChatReader()
}

const BRACE = 0x7b

/** Some deployments end the stream in this word; what ends it here is an event of its own. */
const terminator = '[DONE]'

class ChatReader implements Transform<Buffer, Event> {
  private readonly decoder = new ChatDecoder()
  private readonly framer = new SseFramer()
  /** The pieces of a whole body; undefined: it is a stream, or nothing came yet. */
  private body: Buffer[] | undefined
  private begun = false

  push(chunk: Buffer): Event[] {
    if (chunk.length === 0) return []
    if (!this.begun && chunk[0] === BRACE) this.body = []
    this.begun = true
    if (this.body === undefined) return this.framed(chunk)
    this.body.push(chunk)
    return []
  }

  /** What the end of input cut in two was never sent whole. */
  flush(): Event[] {
    if (this.body === undefined) return []
    const whole = parsedObject(Buffer.concat(this.body).toString('utf8'))
    if (!isObject(whole?.message)) return this.decoder.fail(200)
    return [...asStream(whole, whole.message)].flatMap((event) => this.decoder.decode(event))
  }

  private framed(chunk: Buffer): Event[] {
    try {
      return this.framer.push(chunk).flatMap((frame) => this.frame(frame))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return this.decoder.fail(502)
    }
  }

  private frame({ comment, data }: Frame): Event[] {
    if (comment || data === terminator) return []
    const event = parsedObject(data)
    return event === undefined ? this.decoder.fail(200) : this.decoder.decode(event)
  }
}

/** The events that would have told this body. */
function* asStream(
  { id, finish_reason, usage }: JsonObject,
  message: JsonObject,
): Generator<JsonObject> {
  yield { type: 'message-start', id }
  yield { type: 'tool-plan-delta', delta: { message: { tool_plan: message.tool_plan } } }
  for (const [index, content] of listOf(message.content).entries()) {
    yield { type: 'content-start', delta: { message: { content } } }
    const citations = listOf(message.citations).filter(
      (citation) => (objectOf(citation)?.content_index ?? 0) === index,
    )
    yield { type: 'citation-start', delta: { message: { citations } } }
  }
  for (const call of listOf(message.tool_calls)) {
    yield { type: 'tool-call-start', delta: { message: { tool_calls: call } } }
    yield { type: 'tool-call-end' }
  }
  yield { type: 'message-end', delta: { finish_reason, usage } }
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

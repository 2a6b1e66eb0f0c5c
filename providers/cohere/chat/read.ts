/** An answer as canonical events: server-sent events, or one body as the stream it would be. */
import type { Event } from '../../../kernel/contract/event.js'
import type { Transform } from '../../../kernel/contract/format.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { objectOf, parsedObject } from '../../../kernel/toolkit/operation/index.js'
import { StreamOrBody } from '../../../kernel/toolkit/provider/index.js'
import { ChatDecoder } from './decode.js'

/** Some deployments end the stream in this word; what ends it here is an event of its own. */
const terminator = '[DONE]'

export function readChat(): Transform<Buffer, Event> {
  const decoder = new ChatDecoder()
  return new StreamOrBody({
    frame({ data }) {
      if (data === terminator) return []
      const event = parsedObject(data)
      return event === undefined ? decoder.fail(200) : decoder.decode(event)
    },
    whole(body) {
      if (!isObject(body?.message)) return decoder.fail(200)
      return [...asStream(body, body.message)].flatMap((event) => decoder.decode(event))
    },
    tooLarge: () => decoder.fail(502),
  })
}

/** The events of this body. */
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

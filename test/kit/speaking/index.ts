/**
 * A model that says what a test wants, in the format of the path it is called at, whole or streamed as it is asked. Each
 * form goes by the reference of its vendor and knows nothing of the gateway.
 */
import type { Recorded, Script } from '../upstream.js'
import { chat, done } from './chat.js'
import { cohere } from './cohere.js'
import { converse } from './converse.js'
import { generative } from './generative.js'
import { inEventStream, messages } from './messages.js'
import { repeatingNothing, responses } from './responses.js'
import type { Form, Said } from './said.js'

export type { Said } from './said.js'

interface Place {
  readonly path: RegExp
  readonly form: Form
}

/** The first that fits counts. */
const places: readonly Place[] = [
  { path: /\/publishers\/mistralai\//, form: chat },
  { path: /\/v2\/chat$/, form: cohere },
  { path: /\/chat\/completions$/, form: chat },
  { path: /\/messages$|:(?:rawPredict|streamRawPredict)$/, form: messages },
  { path: /\/invoke(?:-with-response-stream)?$/, form: inEventStream(messages) },
  { path: /\/converse(?:-stream)?$/, form: converse },
  { path: /\/codex\/responses$/, form: repeatingNothing(responses) },
  { path: /\/responses$|\/v1\/agent$/, form: responses },
  { path: /:(?:generateContent|streamGenerateContent)$/, form: generative },
]

const streamingPath = /(?:stream[A-Z]\w*|-stream)$/

export function isStreamed({ path, json }: Recorded): boolean {
  return json?.stream === true || streamingPath.test(path.split('?')[0]!)
}

/** `silently`: without `[DONE]`, as some services end a stream of the chat format. */
export function speak(said: Said, silently = false): Script {
  return (request, response) => {
    const path = request.path.split('?')[0]!
    const form = places.find((place) => place.path.test(path))?.form
    if (form === undefined) {
      response.writeHead(404).end(`{"error":{"message":"no form is known for ${path}"}}`)
      return
    }
    if (isStreamed(request)) {
      response.writeHead(200, { 'content-type': form.streamType ?? 'text/event-stream' })
      for (const piece of form.stream(said, request)) {
        if (!silently || piece !== done) response.write(piece)
      }
    } else {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write(JSON.stringify(form.whole(said, request)))
    }
    response.end()
  }
}

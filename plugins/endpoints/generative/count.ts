/** The text of `:countTokens`, and its estimate. */
import type { Usage } from '../../../kernel/contract/event.js'
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'

/** The contents alone, or a whole request in a field of its own, in either spelling. */
export function countedRequest(body: JsonObject): JsonObject {
  const whole = body.generateContentRequest ?? body.generate_content_request
  return isObject(whole) ? whole : body
}

/** An estimate counts the prompt only: text, and media beside it. */
export function countedTokens({ input = 0, inputAudio = 0, inputImage = 0 }: Usage): number {
  return input + inputAudio + inputImage
}

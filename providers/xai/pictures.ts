/** Pictures of an answer: base64 may come as a data URL, of which clients expect the bare base64. */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { WholeAnswer } from '../../kernel/contract/operation.js'
import { garbled } from '../../kernel/toolkit/errors/index.js'
import { objectsOf, replyObject } from '../../kernel/toolkit/json/index.js'

export function plainPictures({ body }: WholeAnswer) {
  const reported = replyObject(body)
  if (reported === undefined || !Array.isArray(reported.data)) return { failure: garbled() }
  return { json: { ...reported, data: objectsOf(reported.data).map(plain) } }
}

function plain(picture: JsonObject): JsonObject {
  const { b64_json: base64 } = picture
  if (typeof base64 !== 'string' || !base64.startsWith('data:')) return picture
  return { ...picture, b64_json: base64.slice(base64.indexOf(',') + 1) }
}

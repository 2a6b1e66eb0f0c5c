/** A body in the words of Jimeng as the operation's: what the operation has a field for by its name, all else for the maker as it is. */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import { invalidField } from '../../../kernel/toolkit/operation/index.js'

export function videoOf(body: JsonObject): JsonObject {
  const { req_key: model, prompt, seed, aspect_ratio, frames, ...others } = body
  const { image_urls: addresses, binary_data_base64: data, ...metadata } = others
  if (typeof model !== 'string' || model === '') throw invalidField('req_key', 'must be a string')
  const images = [
    ...textsOf(addresses, 'image_urls'),
    ...textsOf(data, 'binary_data_base64').map(dataUrlOf),
  ]
  const seconds = secondsOf(frames)
  return present({
    model,
    prompt,
    seed,
    aspect_ratio,
    seconds,
    images: images.length > 0 ? images : undefined,
    metadata: present({ ...metadata, ...(seconds === undefined && { frames }) }),
  })
}

const framesPerSecond = 24

/** One frame more than whole seconds hold. Undefined: another number, which is the maker's to judge. */
function secondsOf(frames: Json | undefined): number | undefined {
  if (typeof frames !== 'number') return undefined
  const seconds = (frames - 1) / framesPerSecond
  return Number.isInteger(seconds) && seconds > 0 ? seconds : undefined
}

function textsOf(list: Json | undefined, field: string): readonly string[] {
  if (list === undefined || list === null) return []
  if (!Array.isArray(list) || list.some((one) => typeof one !== 'string')) {
    throw invalidField(field, 'must be an array of strings')
  }
  return list as readonly string[]
}

function dataUrlOf(base64: string): string {
  return /^data:/i.test(base64) ? base64 : `data:${typeOf(base64)};base64,${base64}`
}

/** By the first bytes. */
function typeOf(base64: string): string {
  if (base64.startsWith('/9j/')) return 'image/jpeg'
  return base64.startsWith('UklGR') ? 'image/webp' : 'image/png'
}

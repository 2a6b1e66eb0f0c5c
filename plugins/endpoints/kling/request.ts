/** A body in the words of Kling as the operation's: what the operation has a field for by its name, all else for the maker as it is. */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import { invalidField } from '../../../kernel/toolkit/operation/index.js'

/** As the maker's own service has it. */
const modelDefault = 'kling-v1'

export function videoOf(body: JsonObject): JsonObject {
  const { model_name: named, model, callback_url: _, ...fields } = body
  const { prompt, negative_prompt, mode, aspect_ratio, duration, ...others } = fields
  const { image, image_tail, sound, watermark_info: mark, ...metadata } = others
  const audio = typeof sound === 'string' ? switches[sound] : undefined
  const watermark = isObject(mark) && typeof mark.enabled === 'boolean' ? mark.enabled : undefined
  return present({
    model: named ?? model ?? modelDefault,
    prompt,
    negative_prompt,
    mode,
    aspect_ratio,
    duration,
    image: pictureOf(image, 'image'),
    image_tail: pictureOf(image_tail, 'image_tail'),
    audio,
    watermark,
    metadata: present({
      ...metadata,
      ...(audio === undefined && { sound }),
      ...(watermark === undefined && { watermark_info: mark }),
    }),
  })
}

const switches: Readonly<Record<string, boolean | undefined>> = { on: true, off: false }

/** Clients of Kling send base64 alone; the operation knows data URLs. */
function pictureOf(picture: Json | undefined, field: string): Json | undefined {
  if (picture === undefined || picture === null || picture === '') return undefined
  if (typeof picture !== 'string') throw invalidField(field, 'must be a string')
  return /^(https?:|data:)/i.test(picture) ? picture : `data:${typeOf(picture)};base64,${picture}`
}

/** By the first bytes. */
function typeOf(base64: string): string {
  if (base64.startsWith('/9j/')) return 'image/jpeg'
  return base64.startsWith('UklGR') ? 'image/webp' : 'image/png'
}

/** What a client asks of pictures beside the prompt, as far as a model has it; the rest is refused by name or reported. */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { notExpressible } from '../../../kernel/toolkit/errors/index.js'
import type { ImageModel } from './facts.js'

export interface PictureOptions {
  readonly n: number | undefined
  /** Undefined: the model's own. */
  readonly format: string | undefined
  readonly fine: boolean | undefined
}

/** Fields of forms are texts. */
export function optionsOf(requested: JsonObject, model: ImageModel): PictureOptions {
  const { n, stream, background, output_format, quality } = requested
  if (stream === true || stream === 'true') throw notExpressible('stream')
  if (background === 'transparent') throw notExpressible('background')
  if (isSent(n) && !(Number(n) <= model.picturesMax)) throw notExpressible('n')
  return {
    n: isSent(n) ? Number(n) : undefined,
    format: formatOf(output_format, model),
    fine: isSent(quality) && quality !== 'auto' ? fineWords.has(quality) : undefined,
  }
}

const fineWords: ReadonlySet<Json | undefined> = new Set(['hd', 'high', 'premium'])

function formatOf(format: Json | undefined, { formats }: ImageModel): string | undefined {
  if (!isSent(format)) return undefined
  const known = formats.find((one) => one === (format === 'jpg' ? 'jpeg' : format))
  if (known === undefined) throw notExpressible('output_format')
  return known
}

export function isSent(value: Json | undefined): value is Json {
  return value !== undefined && value !== null && value !== ''
}

/** Fields the picture is made without, kept in the body until they are reported. */
export function lostFields(requested: JsonObject, { form }: ImageModel): JsonObject {
  const names = form === 'stability' ? [...cosmetic, 'quality'] : cosmetic
  const lost = names.filter((name) => isSent(requested[name]))
  return Object.fromEntries(lost.map((name) => [name, requested[name]!]))
}

const cosmetic = [
  'style',
  'user',
  'moderation',
  'output_compression',
  'partial_images',
  'input_fidelity',
] as const

const reportable: ReadonlySet<string> = new Set([...cosmetic, 'quality'])

/** For `Adapter.refuses`: what stands at the top of a body beside the service's own members. */
export function lostIn(wire: JsonObject): readonly string[] {
  return Object.keys(wire).filter((name) => reportable.has(name))
}

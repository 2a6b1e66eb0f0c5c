/**
 * Seals on their way through the chat format, which has no place for them but `extra_content`: under the key `waybill`
 * with their issuer, so that a client which sends its history back unchanged brings them home. What an upstream of
 * this very format puts into `extra_content` is a seal of the chat format itself and goes back as it came.
 */
import type { PartExtras } from '../../../kernel/contract/call.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { isIssuer } from '../../../kernel/toolkit/format/index.js'
import { objectOf, objectsOf, parsedObject, textOf } from './fields.js'

export type Seal = NonNullable<PartExtras['seal']>

/** A stretch of reasoning and who sealed it; `chars` is its length in UTF-16 units. */
export interface SealedStretch {
  readonly chars: number
  readonly seal: Seal
}

export function toolExtra(seal: Seal | undefined): { readonly extra_content?: JsonObject } {
  if (seal === undefined) return {}
  if (seal.by !== 'chat') return { extra_content: { waybill: { by: seal.by, seal: seal.value } } }
  const own = parsedObject(seal.value)
  return own === undefined ? {} : { extra_content: own }
}

export function toolSeal(extra: Json | undefined): Seal | undefined {
  if (!isObject(extra)) return undefined
  return sealOf(objectOf(extra.waybill)) ?? { by: 'chat', value: JSON.stringify(extra) }
}

/** `extra_content` of a message whose reasoning was sealed; nothing where none was. */
export function reasoningExtra(stretches: readonly SealedStretch[]): JsonObject | undefined {
  if (stretches.length === 0) return undefined
  const reasoning = stretches.map(({ chars, seal }) => ({ chars, by: seal.by, seal: seal.value }))
  return { waybill: { reasoning } }
}

export function sealedStretches(extra: Json | undefined): readonly SealedStretch[] {
  const own = isObject(extra) ? objectOf(extra.waybill) : undefined
  return objectsOf(own?.reasoning).flatMap((entry) => {
    const seal = sealOf(entry)
    const { chars } = entry
    return seal !== undefined && typeof chars === 'number' ? [{ chars, seal }] : []
  })
}

function sealOf(entry: JsonObject | undefined): Seal | undefined {
  const by = textOf(entry?.by)
  const value = textOf(entry?.seal)
  if (by === undefined || value === undefined || !isIssuer(by)) return undefined
  return { by, value }
}

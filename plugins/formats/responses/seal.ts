/**
 * Seals of reasoning. Encrypted reasoning is bound to the id of its item and refused under any other, so an own seal
 * is both. Another issuer's seal stands in `encrypted_content` under a prefix that names the issuer, so that it finds
 * the way back to it only.
 */
import type { PartExtras } from '../../../kernel/contract/call.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import type { Issuer } from '../../../kernel/contract/names.js'
import { isIssuer, issuerPattern } from '../../../kernel/toolkit/format/index.js'
import { objectOf, textOf } from './fields.js'

export type Seal = NonNullable<PartExtras['seal']>

const prefixed = new RegExp(`^waybill\\.(${issuerPattern})\\.(.+)$`, 's')
const bound = /^id:([\w-]+)\.(.*)$/s

/** The seal that stands in the encrypted content of the item with this id. */
export function readSeal(encrypted: string, id: string | undefined): Seal {
  const match = prefixed.exec(encrypted)
  if (match !== null) return { by: match[1] as Issuer, value: match[2]! }
  const value = id !== undefined && /^[\w-]+$/.test(id) ? `id:${id}.${encrypted}` : encrypted
  return { by: 'responses', value }
}

/** The encrypted content that holds this seal in the item with this id. */
export function writeSeal(seal: Seal, id: string): string {
  const own = openSeal(seal)
  if (own !== undefined && (own.id === undefined || own.id === id)) return own.encrypted
  return `waybill.${seal.by}.${seal.value}`
}

/** Id and content of an own seal; undefined for another issuer's. */
export function openSeal({ by, value }: Seal): { id?: string; encrypted: string } | undefined {
  if (by !== 'responses') return undefined
  const match = bound.exec(value)
  return match === null ? { encrypted: value } : { id: match[1]!, encrypted: match[2]! }
}

/** The seal of a tool call has no field here; it rides beside the call, as it does in the chat format. */
export function toolExtra(seal: Seal | undefined): JsonObject {
  return seal === undefined ? {} : { extra_content: { waybill: { by: seal.by, seal: seal.value } } }
}

export function toolSeal(extra: Json | undefined): Seal | undefined {
  const reported = isObject(extra) ? objectOf(extra.waybill) : undefined
  const by = textOf(reported?.by)
  const value = textOf(reported?.seal)
  if (by === undefined || value === undefined || !isIssuer(by)) return undefined
  return { by, value }
}

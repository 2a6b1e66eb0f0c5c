/**
 * Seals of reasoning. A signature travels as it is; what stands in redacted thinking is marked, since it goes back as
 * another block. Another issuer's seal passes through a messages client under a prefix that names it, so that it finds
 * the way back to that issuer only.
 */
import type { PartExtras } from '../../../kernel/contract/call.js'
import type { Issuer } from '../../../kernel/contract/names.js'
import { issuerPattern } from '../../../kernel/toolkit/format/index.js'

export type Seal = NonNullable<PartExtras['seal']>

const foreign = new RegExp(`^waybill\\.(${issuerPattern})\\.(.+)$`, 's')

export function readSeal(signature: string): Seal {
  const match = foreign.exec(signature)
  return match === null
    ? { by: 'messages', value: signature }
    : { by: match[1] as Issuer, value: match[2]! }
}

export function writeSeal({ by, value }: Seal): string {
  return by === 'messages' ? value : `waybill.${by}.${value}`
}

const redacted = 'redacted.'

export function sealOfRedacted(data: string): Seal {
  return { by: 'messages', value: redacted + data }
}

/** The data of redacted thinking; undefined for the seal of anything else. */
export function redactedData({ by, value }: Seal): string | undefined {
  const marked = by === 'messages' && value.startsWith(redacted)
  return marked ? value.slice(redacted.length) : undefined
}

/**
 * Thought signatures. A signature of this format's own service travels as it is. The seal of another issuer passes a
 * client of this format as a signature too, in base64 since clients decode it as bytes, under a mark that names its
 * issuer; it is sent back to that issuer only.
 */
import type { PartExtras } from '../../../kernel/contract/call.js'
import type { Issuer } from '../../../kernel/contract/names.js'
import { issuerPattern } from '../../../kernel/toolkit/format/index.js'

export type Seal = NonNullable<PartExtras['seal']>

/**
 * What the service takes for a call whose signature never existed or was lost on the way; without it, it refuses the
 * call. Of the two words it documents this is the one both of its APIs name
 * (ai.google.dev/gemini-api/docs/thought-signatures, docs.cloud.google.com/vertex-ai/generative-ai/docs/thought-signatures).
 */
export const placeholder = 'skip_thought_signature_validator'

/** Nine characters, so that base64 of whatever follows begins the same; none of it differs in the URL alphabet. */
const mark = 'waybill::'
const markBase64 = Buffer.from(mark).toString('base64')
const foreign = new RegExp(`^waybill::(${issuerPattern}):(.+)$`, 's')

export function readSeal(signature: string): Seal {
  if (!signature.startsWith(markBase64)) return { by: 'generative', value: signature }
  const match = foreign.exec(Buffer.from(signature, 'base64').toString('utf8'))
  return match === null
    ? { by: 'generative', value: signature }
    : { by: match[1] as Issuer, value: match[2]! }
}

export function writeSeal({ by, value }: Seal): string {
  if (by === 'generative') return value
  return Buffer.from(`${mark}${by}:${value}`).toString('base64')
}

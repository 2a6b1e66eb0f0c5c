/** What the upstream of a channel charges. Their own rules are those of the price list. */
import joi from 'joi'
import type { Json } from '../../../../kernel/contract/json.js'
import { jsonObject, readField } from '../../../../kernel/toolkit/management/index.js'
import type { Pricing } from '../../../services/pricing/index.js'

const objectTextOrNull = { openapi: { type: ['object', 'string', 'null'] } }

/** An object, its text, or null. */
export const costTerms = readField(
  (value) => (value === null || value === '' ? null : jsonObject(value)),
  objectTextOrNull,
)

/** Blank takes it away. */
export const costFactor = joi.string().allow('').trim().max(64)

/** As they are stored. Throws a `Refusal` that names the field. */
export function withCostTerms<Form extends { readonly cost_terms?: unknown }>(
  form: Form,
  pricing: Pick<Pricing, 'costTerms'>,
): Form {
  if (form.cost_terms === undefined) return form
  return { ...form, cost_terms: pricing.costTerms(form.cost_terms as Json) }
}

/** The same of the factor alone, for many channels at once. */
export function checkCostFactor(factor: string | undefined, pricing: Pick<Pricing, 'costTerms'>) {
  if (factor !== undefined && factor !== '') pricing.costTerms({ factor })
}

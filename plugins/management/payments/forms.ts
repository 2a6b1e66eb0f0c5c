/** What the routes of payments take. */
import joi from 'joi'
import { oneLine, pagedQuery, rowId } from '../../../kernel/toolkit/management/index.js'

const name = oneLine.max(64)
const orderNo = joi
  .string()
  .pattern(/^[0-9A-Za-z]{20,40}$/)
  .messages({ 'string.pattern.base': 'An order number is 20 to 40 letters and digits.' })
  .description('Number of an order.')

const buying = {
  gateway: name,
  payment_method: name.description('A method of the gateway, or the name of a gateway.'),
  amount: joi.number().integer().min(1).max(1_000_000).description('Units of account.'),
  product: name,
}

export interface BuyForm {
  readonly gateway?: string
  readonly payment_method?: string
  readonly amount?: number
  readonly product?: string
}

const buyFields = joi.object(buying).oxor('amount', 'product').prefs({ stripUnknown: true })

export const buyForm = buyFields.required()

export interface PlaceForm extends BuyForm {
  readonly keep_mandate: boolean
}

export const placeForm = buyFields
  .keys({
    keep_mandate: joi
      .boolean()
      .default(false)
      .description('The payer agrees to automatic payments by the same means.'),
  })
  .required()

export interface StartForm {
  readonly amount?: number
  readonly payment_method?: string
  readonly product_id?: string
}

export const startForm = joi
  .object({ amount: buying.amount.required(), payment_method: name })
  .prefs({ stripUnknown: true })
  .required()

export const startProductForm = joi
  .object({ product_id: name.required(), payment_method: name })
  .prefs({ stripUnknown: true })
  .required()

const planning = {
  plan_id: rowId.required().description('Number of a plan.'),
  payment_method: name.description('A method of the gateway.'),
  replaces: rowId.description(
    'Number of the subscription it replaces: what is left of that is taken off.',
  ),
  recurring: joi
    .boolean()
    .default(false)
    .description('The provider collects every duration that follows, until that is ended.'),
}

export interface StartPlanForm {
  readonly plan_id: number
  readonly payment_method?: string
  readonly replaces?: number
  readonly recurring: boolean
}

export const startPlanForm = joi.object(planning).prefs({ stripUnknown: true }).required()

export interface PlanForm extends StartPlanForm {
  readonly gateway?: string
}

export const planForm = joi
  .object({ ...planning, gateway: name.description('Absent: the only one there is.') })
  .prefs({ stripUnknown: true })
  .required()

export const subscriptionParams = joi.object({ id: rowId.required() })

export interface CompleteForm {
  readonly trade_no: string
  readonly reason: string
}

export const completeForm = joi
  .object({
    trade_no: orderNo.required(),
    reason: oneLine.max(200).required().description('Kept with the order.'),
  })
  .prefs({ stripUnknown: true })
  .required()

export interface RefundForm {
  readonly trade_no: string
  readonly amount: string
}

export const refundForm = joi
  .object({
    trade_no: orderNo.required(),
    amount: joi
      .string()
      .pattern(/^\d{1,12}(\.\d{1,4})?$/)
      .messages({ 'string.pattern.base': 'An amount is a decimal, as "7.30".' })
      .required()
      .description('In the currency of the order, as `7.30`.'),
  })
  .prefs({ stripUnknown: true })
  .required()

export interface TotalsForm {
  readonly start_timestamp: number
  readonly end_timestamp: number
}

const moment = joi.number().integer().min(0).max(10_000_000_000).description('Unix seconds.')

export const totalsQuery = joi
  .object({ start_timestamp: moment.default(0), end_timestamp: moment.default(10_000_000_000) })
  .prefs({ stripUnknown: true })

export interface ListQuery {
  readonly p: number
  readonly page_size: number
  readonly status?: 'pending' | 'success' | 'failed' | 'expired' | 'refunded'
  readonly gateway?: string
  readonly user_id?: number
  readonly keyword?: string
}

const status = joi.string().valid('pending', 'success', 'failed', 'expired', 'refunded').empty('')

const keyword = oneLine.max(255).empty('').description('A whole order number or payment reference.')

export const ownQuery = pagedQuery({ status, keyword })
export const listQuery = pagedQuery({
  status,
  keyword,
  gateway: name.empty(''),
  user_id: joi
    .number()
    .integer()
    .min(1)
    .empty(joi.valid('', '0', 0)),
})

export const orderParams = joi.object({ trade_no: orderNo.required() })
export const gatewayParams = joi.object({
  gateway: joi
    .string()
    .pattern(/^[a-z0-9][a-z0-9-]{0,63}$/)
    .required()
    .description('Name of a payment gateway.'),
})
/** Of a callback: whatever the provider sends. */
export const anyQuery = joi.object().unknown(true)

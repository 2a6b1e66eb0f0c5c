/** Automatic top-up in the words of the management API. */
import joi from 'joi'
import { quotaUnits, responseForm, unixSeconds } from '../../../kernel/toolkit/management/index.js'
import type { AutoTopupState } from '../../services/auto-topup/index.js'
import type { Mandate } from '../../services/payments/index.js'

export type AutoTopupRecord = ReturnType<typeof autoTopupRecord>

export function autoTopupRecord(state: AutoTopupState) {
  const { offered, settings, standing, spent, capMax, mandates, gateways } = state
  return {
    offered,
    enabled: settings?.isOn ?? false,
    gateway: settings?.gateway ?? '',
    below: settings?.below ?? 0n,
    amount: settings?.amount ?? 0,
    monthly_cap: settings?.monthlyCap ?? 0,
    monthly_cap_max: capMax,
    spent,
    state: standing.state,
    reason: standing.reason ?? ('' as const),
    words: standing.words ?? '',
    until: standing.until === undefined ? 0 : seconds(standing.until),
    mandates: mandates.map(mandateRecord),
    gateways: gateways.map(({ name, title, isTest }) => ({ name, title, test: isTest })),
  }
}

function mandateRecord({ gateway, title, isTest, hasPortal, createdAt }: Mandate) {
  return { gateway, title, test: isTest, portal: hasPortal, created_time: seconds(createdAt) }
}

function seconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1000)
}

const text = joi.string().allow('')
const units = joi.number().integer().min(0)
const name = joi.string().example('stripe').description('Name of the gateway.')

const mandate = responseForm<ReturnType<typeof mandateRecord>>({
  gateway: name,
  title: joi.string().description('Of the gateway.'),
  test: joi.boolean().description('No real money moves.'),
  portal: joi.boolean().description('Its provider has a page to change how it is paid.'),
  created_time: unixSeconds,
}).id('PaymentMandate')

const gateway = joi.object({
  name,
  title: joi.string(),
  test: joi.boolean().description('No real money moves.'),
})

export const autoTopup = responseForm<AutoTopupRecord>({
  offered: joi.boolean().description('Root offers it.'),
  enabled: joi.boolean(),
  gateway: text.description('By which gateway it is paid. Empty: nothing was set yet.'),
  below: quotaUnits.description('The balance below which it is topped up, in quota units.'),
  amount: units.description('Units of account one payment buys. 0: nothing was set yet.'),
  monthly_cap: units.description('Most units a calendar month (UTC) may buy.'),
  monthly_cap_max: units.description('The greatest limit that can be set.'),
  spent: units.description('Units bought in the month that runs, those under way included.'),
  state: joi
    .string()
    .valid('on', 'charging', 'paused', 'off')
    .description('`charging`: a payment is under way. `paused`: nothing is charged for now.'),
  reason: joi
    .string()
    .valid(
      ...['', 'not_offered', 'mandate_ended', 'gateway_off', 'wrong_mode', 'wrong_amount'],
      ...['cap_reached', 'refused'],
    )
    .description(
      'Why it is paused; of what is off `refused`: the service switched it off after three refusals.',
    ),
  words: text.description('What the provider said, or what is wrong with the amount.'),
  until: joi.number().integer().description('Unix seconds until which it is paused. 0: not known.'),
  mandates: joi.array().items(mandate).description('What the caller agreed to, newest first.'),
  gateways: joi.array().items(gateway).description('Gateways by which it can be agreed to.'),
}).id('AutoTopUp')

export const portal = joi.object({ url: joi.string().description('Where the browser goes.') })

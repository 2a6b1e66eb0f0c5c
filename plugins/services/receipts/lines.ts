/** What an order was for, as lines that add up to what was paid. */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { PaymentOrder } from '../payments/index.js'
import type { ReceiptLine } from './receipts.js'

/** Quota of one unit of account (ledger/README.md section 1). */
const quotaPerUnit = 500_000n

export function linesOfOrder(order: PaymentOrder): readonly ReceiptLine[] {
  const { amountMinor, paidMinor = amountMinor } = order
  return [...bought(order), ...takenOff('Discount', amountMinor - paidMinor)]
}

function bought(order: PaymentOrder): readonly ReceiptLine[] {
  return order.planId === undefined ? [credit(order)] : plan(order)
}

function credit({ price, product, quota, amountMinor }: PaymentOrder): ReceiptLine {
  if (product !== '') {
    return { title: `Product: ${product}`, detail: unitsText(quota), amountMinor }
  }
  const units = textOf(price, 'amount')
  const bonus = textOf(price, 'bonus')
  if (units === undefined) return { title: unitsText(quota), detail: '', amountMinor }
  const detail = bonus === undefined || Number(bonus) === 0 ? '' : `${bonus} more as a bonus`
  return { title: `${units} ${unitWord(units)} of credit`, detail, amountMinor }
}

/** An order that replaced another subscription took off what was left of it. */
function plan({ price, amountMinor, isRecurring }: PaymentOrder): readonly ReceiptLine[] {
  const kind = price.renews === undefined ? 'Plan' : 'Renewal of the plan'
  const title = `${kind}: ${textOf(price, 'title') ?? 'without a title'}`
  const detail = isRecurring ? 'Automatic payment' : ''
  const left = BigInt(textOf(price, 'value_left') ?? 0)
  return [
    { title, detail, amountMinor: amountMinor + left },
    ...takenOff('What was left of the plan before', left),
  ]
}

function takenOff(title: string, minor: bigint): readonly ReceiptLine[] {
  return minor === 0n ? [] : [{ title, detail: '', amountMinor: -minor }]
}

function unitsText(quota: bigint): string {
  const fraction = String((quota % quotaPerUnit) * 2n)
    .padStart(6, '0')
    .replace(/0+$/, '')
  const units = `${quota / quotaPerUnit}${fraction === '' ? '' : `.${fraction}`}`
  return `${units} ${unitWord(units)} of credit`
}

function unitWord(units: string): string {
  return units === '1' ? 'unit' : 'units'
}

function textOf(price: JsonObject, name: string): string | undefined {
  const value: Json | undefined = Object.hasOwn(price, name) ? price[name] : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

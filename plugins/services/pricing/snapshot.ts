/**
 * What is kept with every charge: all inputs and steps, exact and compact, under the family's names where it has one.
 * `recompute` gets the same quota from a snapshot alone, whatever the price table holds by then.
 */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { type Bill, chargeOf } from './bill.js'
import {
  type Decimal,
  decimal,
  decimalText,
  isSame,
  one,
  readDecimal,
  sumOf,
  times,
  zero,
} from './decimal.js'
import { billedUnits } from './rate-cards/card-units.js'
import {
  type Part,
  type PlainRate,
  quotaPerToolCall,
  quotaPerUnit,
  type RatioName,
  type Terms,
  weightOf,
} from './terms.js'

/** Writes snapshots under the same terms: what does not depend on the counts is written once. */
export function snapshotWriter(terms: Terms<PlainRate>): (bill: Bill) => JsonObject {
  const head = headOf(terms)
  const heads = new Map<string, JsonObject>()

  /**
   * With the ratios that weigh these parts, and no others. The places of what each bill fills in are there already:
   * adding keys to a copy costs ten times what replacing them does.
   */
  function headFor(items: Bill['items']): JsonObject {
    const key = items.map(({ part }) => part).join()
    const known = heads.get(key)
    if (known !== undefined) return known
    const made = { ...head, ...ratiosOf(terms, items), counts: {}, amounts: {}, sum: '', quota: 0 }
    heads.set(key, made)
    return made
  }

  return (bill) => {
    const counts: { [part: string]: number } = {}
    const amounts: { [part: string]: string } = {}
    for (const { part, count, amount } of bill.items) {
      counts[part] = count
      amounts[part] = decimalText(amount)
    }
    const sum = decimalText(bill.sum)
    const quota = Number(chargeOf(bill))
    const inputs = headFor(bill.items)
    const snapshot = { ...inputs, counts, amounts, sum, quota }
    return bill.tools.length === 0 ? snapshot : { ...snapshot, tool_surcharges: toolsOf(bill) }
  }
}

/** The charge a snapshot stands for, from its inputs only. Throws a RangeError on what is no snapshot. */
export function recompute(snapshot: JsonObject): bigint {
  const base = times(baseOf(snapshot), field(snapshot, 'group_ratio'))
  const counts = Object.entries(countsIn(snapshot))
  const amounts = [
    ...counts.map(([part, count]) => times(times(weightIn(snapshot, part), base), read(count))),
    ...Object.values(section(snapshot, 'tool_surcharges')).map((surcharge) =>
      times(surchargeIn(surcharge), field(snapshot, 'group_ratio')),
    ),
  ]
  const sum = sumOf(amounts)
  return chargeOf({ sum, chargeable: sum.units > 0n || (counts.length > 0 && base.units > 0n) })
}

export function headOf({ model, rate, group, groupRatio, userGroup, table }: Terms): JsonObject {
  return {
    price_model: model,
    price_table: table,
    billing_mode: rate.mode,
    price_group: group,
    group_ratio: exact(groupRatio),
    ...(userGroup !== undefined && {
      user_group: userGroup,
      user_group_ratio: exact(groupRatio),
    }),
    ...(rate.mode === 'ratio' && { model_ratio: exact(rate.modelRatio) }),
    ...(rate.mode === 'price' && { model_price: exact(rate.modelPrice) }),
  }
}

function ratiosOf({ rate }: Terms<PlainRate>, items: Bill['items']): JsonObject {
  if (rate.mode !== 'ratio') return {}
  const names = items.flatMap(({ part }) => (part === 'request' ? [] : weightOf[part]))
  return Object.fromEntries(names.map((name) => [name, exact(rate.ratios[name])]))
}

export function toolsOf({ tools }: Pick<Bill, 'tools'>): JsonObject {
  return Object.fromEntries(
    tools.map(({ tool, calls, price, amount }) => [
      tool,
      { calls, price: exact(price), amount: decimalText(amount) },
    ]),
  )
}

/** A JSON number, as readers of the log expect, where a double gives back the very same decimal; else its text. */
export function exact(value: Decimal): Json {
  const text = decimalText(value)
  const number = Number(text)
  const again = readDecimal(String(number))
  return typeof again !== 'string' && isSame(again, value) ? number : text
}

function baseOf(snapshot: JsonObject): Decimal {
  if (snapshot.billing_mode === 'ratio') return field(snapshot, 'model_ratio')
  if (snapshot.billing_mode === 'price') return times(field(snapshot, 'model_price'), quotaPerUnit)
  if (snapshot.billing_mode !== 'card' || snapshot.rate_card === undefined) return zero
  return times(field(section(snapshot, 'rate_card'), 'price'), quotaPerUnit)
}

/** Units of a card are counted anew from the quantity, the minimum and the step. */
function countsIn(snapshot: JsonObject): JsonObject {
  const card = section(snapshot, 'rate_card')
  if (snapshot.billing_mode !== 'card' || card.quantity === undefined) {
    return section(snapshot, 'counts')
  }
  const minimum = card.minimum === undefined ? zero : field(card, 'minimum')
  const step = card.step === undefined ? undefined : field(card, 'step')
  const { billed } = billedUnits(field(card, 'quantity'), minimum, step)
  return { units: decimalText(billed) }
}

function weightIn(snapshot: JsonObject, part: string): Decimal {
  if (part === 'request' || part === 'units') return one
  const names: readonly RatioName[] | undefined = weightOf[part as Part]
  if (names === undefined) throw new RangeError(`no price has the part ${part}`)
  return names.reduce((product, name) => times(product, field(snapshot, name)), one)
}

function surchargeIn(surcharge: Json | undefined): Decimal {
  if (!isObject(surcharge)) throw new RangeError('a surcharge is no object')
  return times(times(field(surcharge, 'price'), quotaPerToolCall), field(surcharge, 'calls'))
}

function section(snapshot: JsonObject, name: string): JsonObject {
  const found = snapshot[name]
  return isObject(found) ? found : {}
}

function field(snapshot: JsonObject, name: string): Decimal {
  return read(snapshot[name])
}

function read(value: Json | undefined): Decimal {
  return decimal(String(value))
}

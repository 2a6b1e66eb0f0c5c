/** The itemised bill of one usage under given terms: every amount exact, nothing rounded yet. */
import type { Usage } from '../../../kernel/contract/event.js'
import { type Decimal, decimal, roundHalfUp, roundUp, sumOf, times, unitsAt } from './decimal.js'
import {
  anyCount,
  anyToken,
  countOf,
  type Part,
  type PlainRate,
  parts,
  quantityOf,
  quotaMax,
  quotaPerToolCall,
  quotaPerUnit,
  type Terms,
  weightOf,
} from './terms.js'

export interface Bill {
  readonly items: readonly Item[]
  readonly tools: readonly ToolItem[]
  /** Sum of all amounts. Quota. */
  readonly sum: Decimal
  /** Something delivered has a price, even where its own weight is 0: the least charge applies. */
  readonly chargeable: boolean
}

interface Item {
  readonly part: Part | 'request'
  readonly count: number
  readonly amount: Decimal
}

interface ToolItem {
  readonly tool: string
  readonly calls: number
  /** USD per 1,000 calls. */
  readonly price: Decimal
  readonly amount: Decimal
}

/** What anything costs before it is counted, the group's ratio included. Quota. */
export interface Coefficients {
  readonly perToken?: TokenCoefficients
  readonly perRequest?: Decimal
  /** False when tokens and requests cost nothing whatever their number. */
  readonly priced: boolean
}

/** Units of 10^-scale for one of each part. */
interface TokenCoefficients {
  readonly scale: number
  readonly units: Readonly<Record<Part, bigint>>
}

export function coefficientsOf({ rate, groupRatio }: Terms<PlainRate>): Coefficients {
  if (rate.mode === 'free') return { priced: false }
  if (rate.mode === 'price') {
    const perRequest = times(times(rate.modelPrice, quotaPerUnit), groupRatio)
    return { perRequest, priced: perRequest.units > 0n }
  }
  const base = times(rate.modelRatio, groupRatio)
  const each = parts.map((part) =>
    weightOf[part].reduce((product, name) => times(product, rate.ratios[name]), base),
  )
  const scale = Math.max(...each.map((coefficient) => coefficient.scale))
  const units = Object.fromEntries(
    parts.map((part, index) => [part, unitsAt(each[index]!, scale)]),
  ) as Record<Part, bigint>
  return { perToken: { scale, units }, priced: base.units > 0n }
}

export interface Billed {
  readonly usage: Usage
  readonly purpose: 'charge' | 'setAside'
}

/** `setAside`: the request's own price stands on the bill before anything was delivered. */
export function billOf(
  terms: Terms<PlainRate>,
  coefficients: Coefficients,
  { usage, purpose }: Billed,
): Bill {
  const items = itemsOf(coefficients, { usage, purpose })
  const tools = terms.rate.mode === 'free' ? [] : toolItems(terms, usage)
  const sum = sumOf([...items, ...tools].map(({ amount }) => amount))
  const delivered = purpose === 'setAside' || anyToken(usage)
  return { items, tools, sum, chargeable: sum.units > 0n || (delivered && coefficients.priced) }
}

/** What is charged: the sum rounded once, half up. */
export function chargeOf(bill: Pick<Bill, 'sum' | 'chargeable'>): bigint {
  return bounded(roundHalfUp(bill.sum.units, bill.sum.scale), bill.chargeable)
}

/** What is set aside: the sum rounded up. */
export function setAsideOf(bill: Pick<Bill, 'sum' | 'chargeable'>): bigint {
  return bounded(roundUp(bill.sum.units, bill.sum.scale), bill.chargeable)
}

/** A result of 0 becomes 1 where what was delivered has a price (ledger/README.md section 1). */
function bounded(quota: bigint, chargeable: boolean): bigint {
  if (quota > quotaMax) return quotaMax
  return quota === 0n && chargeable ? 1n : quota
}

function itemsOf(
  { perToken, perRequest }: Coefficients,
  { usage, purpose }: Billed,
): readonly Item[] {
  if (perRequest !== undefined) {
    const count = purpose === 'setAside' || anyCount(usage) ? quantityOf(usage) : 0
    if (count === 0) return []
    return [{ part: 'request', count, amount: times(perRequest, decimal(String(count))) }]
  }
  if (perToken === undefined) return []
  const { scale, units } = perToken
  const items: Item[] = []
  for (const part of parts) {
    const count = countOf(usage[part])
    if (count === 0) continue
    items.push({ part, count, amount: { units: units[part] * BigInt(count), scale } })
  }
  return items
}

export function toolItems(
  { toolPrice, groupRatio }: Pick<Terms, 'toolPrice' | 'groupRatio'>,
  { serverTools }: Usage,
): readonly ToolItem[] {
  if (serverTools === undefined) return []
  const items: ToolItem[] = []
  for (const [tool, value] of Object.entries(serverTools)) {
    const calls = countOf(value)
    const price = toolPrice(tool)
    if (calls === 0 || price.units === 0n) continue
    const perCall = times(times(price, quotaPerToolCall), groupRatio)
    const amount = { units: perCall.units * BigInt(calls), scale: perCall.scale }
    items.push({ tool, calls, price, amount })
  }
  return items
}

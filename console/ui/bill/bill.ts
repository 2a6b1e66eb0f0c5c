/**
 * The price of one request as arithmetic: every addend by its count, its price and its ratios, from what the log keeps
 * of it, exact. The gateway rounds once, over the sum; so does this.
 */
import type { LogFacts } from '../../api/logs.js'
import {
  type Decimal,
  isWhole,
  readDecimal,
  rounded,
  sumOf,
  times,
  wholeNumber,
} from '../decimal.js'

type Per = 'million' | 'request' | 'thousandCalls'

export interface Addend {
  /** What was counted: a part of the usage, or the name of a tool. */
  readonly part: string
  readonly isTool: boolean
  readonly count: Decimal
  /** US dollars, before the group's ratio. */
  readonly price: Decimal
  readonly per: Per
  /** Quota, not rounded. */
  readonly amount: Decimal
}

/** How the sum became whole quota. */
type Rounding = 'none' | 'up' | 'down' | 'least' | 'capped'

export interface Bill {
  readonly mode: 'ratio' | 'price' | 'card' | 'free'
  /** The name whose price it is. */
  readonly model: string
  readonly group: string
  readonly groupRatio: Decimal
  /** The caller's group, where a special ratio of its own stands for the group's. */
  readonly userGroup?: string
  readonly addends: readonly Addend[]
  readonly sum: Decimal
  readonly rounding: Rounding
  /** Quota. */
  readonly charge: bigint
}

/** Undefined: the row does not hold how its amount was calculated. */
export function billOf(facts: LogFacts): Bill | undefined {
  const { billing_mode: mode, price_model: model, price_group: group, user_group } = facts
  if (mode !== 'ratio' && mode !== 'price' && mode !== 'card' && mode !== 'free') return undefined
  const groupRatio = readDecimal(facts.group_ratio)
  const base = baseOf(facts)
  if (groupRatio === undefined || base === undefined) return undefined
  const addends = [...countedAddends(facts, base, groupRatio), ...toolAddends(facts, groupRatio)]
  if (addends.includes(undefined)) return undefined
  const known = addends as readonly Addend[]
  const sum = sumOf(known.map(({ amount }) => amount))
  const isPriced = base.units > 0n && groupRatio.units > 0n
  const counted = known.some(({ isTool }) => !isTool)
  return {
    mode,
    model: String(model ?? ''),
    group: String(group ?? ''),
    groupRatio,
    ...(typeof user_group === 'string' && { userGroup: user_group }),
    addends: known,
    sum,
    ...chargeOf(sum, sum.units > 0n || (counted && isPriced)),
  }
}

/** One dollar is 500,000 units of quota, and ratio 1 is two dollars for a million tokens. */
const quotaOfDollar = wholeNumber(500_000n)
const dollarsOfRatio = wholeNumber(2n)
const quotaPerThousandth = wholeNumber(500n)
const quotaMax = BigInt(Number.MAX_SAFE_INTEGER)

/** Which ratios weigh a count. */
const weightsOf: Readonly<Record<string, readonly string[]>> = {
  request: [],
  units: [],
  input: [],
  cacheRead: ['cache_ratio'],
  cacheWrite5m: ['cache_creation_ratio'],
  cacheWrite1h: ['cache_creation_ratio_1h'],
  inputImage: ['image_ratio'],
  inputAudio: ['audio_ratio'],
  output: ['completion_ratio'],
  outputImage: ['completion_ratio'],
  outputAudio: ['audio_ratio', 'audio_completion_ratio'],
}

/** The model's own ratio, its fixed price, or that of the row of its rate card; without a row nothing was made. */
function baseOf(facts: LogFacts): Decimal | undefined {
  if (facts.billing_mode === 'ratio') return readDecimal(facts.model_ratio)
  if (facts.billing_mode === 'card') {
    return facts.rate_card === undefined ? wholeNumber(0n) : readDecimal(cardOf(facts).price)
  }
  return facts.billing_mode === 'price' ? readDecimal(facts.model_price) : wholeNumber(0n)
}

function countedAddends(facts: LogFacts, base: Decimal, group: Decimal) {
  if (facts.billing_mode === 'free') return []
  const isFixed = facts.billing_mode !== 'ratio'
  return entriesOf(facts.counts).map(([part, value]): Addend | undefined => {
    const count = readDecimal(value)
    const weights = weightsIn(facts, part)
    if (count === undefined || weights === undefined) return undefined
    const each = isFixed ? times(base, quotaOfDollar) : base
    return {
      part,
      isTool: false,
      count,
      price: times(isFixed ? base : times(base, dollarsOfRatio), ...weights),
      per: isFixed ? 'request' : 'million',
      amount: times(count, each, ...weights, group),
    }
  })
}

function cardOf({ rate_card }: LogFacts): Readonly<Record<string, unknown>> {
  return (rate_card ?? {}) as Record<string, unknown>
}

function toolAddends(facts: LogFacts, group: Decimal) {
  return entriesOf(facts.tool_surcharges).map(([part, value]): Addend | undefined => {
    const { calls, price: perThousand } = (value ?? {}) as Record<string, unknown>
    const count = readDecimal(calls)
    const price = readDecimal(perThousand)
    if (count === undefined || price === undefined) return undefined
    const amount = times(count, price, quotaPerThousandth, group)
    return { part, isTool: true, count, price, per: 'thousandCalls', amount }
  })
}

function weightsIn(facts: LogFacts, part: string): readonly Decimal[] | undefined {
  const weights = weightsOf[part]?.map((name) => readDecimal(facts[name]))
  return weights?.every((weight) => weight !== undefined) ? weights : undefined
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

function chargeOf(sum: Decimal, chargeable: boolean): Pick<Bill, 'rounding' | 'charge'> {
  const charge = rounded(sum, 0).units
  if (charge > quotaMax) return { rounding: 'capped', charge: quotaMax }
  if (charge === 0n && chargeable) return { rounding: 'least', charge: 1n }
  if (isWhole(sum)) return { rounding: 'none', charge }
  return { rounding: charge * 10n ** BigInt(sum.scale) > sum.units ? 'up' : 'down', charge }
}

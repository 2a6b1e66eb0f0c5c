/** What a finished task cost: at the price it was admitted with, for what its upstream says it made, within reason. */
import type { Usage } from '../../../kernel/contract/event.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { TaskQuantities } from '../../../kernel/contract/task.js'
import { persistentText } from '../../../kernel/toolkit/service/index.js'
import type { Pricing } from '../pricing/index.js'
import type { TaskRow } from './rows.js'

export interface Cost {
  /** Quota. Absent: the charge stands. */
  readonly quota?: bigint
  /** What was made. Absent: nothing that could be priced is known. */
  readonly usage?: Usage
  /** For the row of the log. */
  readonly detail: JsonObject
}

type Priced = Pick<TaskRow, 'terms' | 'requested' | 'made'>

/** A report beyond so many times what was requested is no measure of what was made, and changes nothing (M21). */
const timesRequestedMax = 4
/** What an estimate of little may be off by. */
const unitsAbove = 10

export function costOf(
  row: Priced,
  reported: Partial<TaskQuantities> | undefined,
  pricing: Pick<Pricing, 'ofTerms'>,
): Cost {
  const { terms, requested } = row
  const made = merged(row.made ?? undefined, reported)
  if (terms === null || requested === null || made === undefined) return { detail: {} }
  const anomaly = anomalyIn(requested, made)
  if (anomaly !== undefined) return { detail: { usage_anomaly: true, ...anomaly } }
  const counts = { ...requested.counts, ...made.counts }
  const dimensions = { ...requested.dimensions, ...textsOf(made.dimensions) }
  const usage = { counts, dimensions }
  try {
    const price = pricing.ofTerms(terms)
    return { quota: price.cost(usage), detail: price.explain(usage), usage }
  } catch (error) {
    // The upstream names a value the price lacks: what was agreed at submission stands.
    const text = error instanceof Error ? persistentText(error.message.slice(0, 300)) : true
    return { detail: { price_failed: text }, usage }
  }
}

export function merged(
  first: Partial<TaskQuantities> | undefined,
  later: Partial<TaskQuantities> | undefined,
): Partial<TaskQuantities> | undefined {
  if (first === undefined || later === undefined) return later ?? first
  return {
    counts: { ...first.counts, ...later.counts },
    dimensions: { ...first.dimensions, ...later.dimensions },
  }
}

function anomalyIn(
  requested: TaskQuantities,
  { counts = {} }: Partial<TaskQuantities>,
): JsonObject | undefined {
  for (const [unit, count] of Object.entries(counts)) {
    const asked = requested.counts[unit]
    const most =
      asked === undefined ? undefined : Math.max(asked * timesRequestedMax, asked + unitsAbove)
    const isCount = typeof count === 'number' && Number.isFinite(count) && count >= 0
    if (!isCount || (most !== undefined && count > most)) {
      return { unit: unit.slice(0, 32), reported: persistentText(String(count).slice(0, 40)) }
    }
  }
  return undefined
}

function textsOf(dimensions: Readonly<Record<string, unknown>> = {}): Record<string, string> {
  const stated = Object.entries(dimensions).filter(([, value]) => value !== undefined)
  return Object.fromEntries(stated.map(([name, value]) => [name, String(value).slice(0, 64)]))
}

/** What a subscription is: kept with its plan, pinned by each order and each subscription. Quota is written as text. */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { Span } from './calendar.js'

export interface PlanTerms {
  readonly title: string
  readonly subtitle: string
  /** How long one purchase lasts. */
  readonly duration: Span
  /** Of each period; 0: without bound. */
  readonly quota: bigint
  /** When a new period begins; absent: one period is the whole duration. */
  readonly reset?: Span
  readonly caps: readonly Cap[]
  /** Models and groups it pays for; empty: all. */
  readonly models: readonly string[]
  readonly groups: readonly string[]
  /** The wallet pays for what its quota does not hold. */
  readonly overflow: boolean
  /** The group its users are moved to; empty: they stay in theirs. */
  readonly upgradeGroup: string
  /** The group they are moved to at its end; empty: the one they were in before. */
  readonly downgradeGroup: string
}

/** How much may be used within each such span. */
export interface Cap {
  readonly span: Span
  readonly quota: bigint
}

export function termsText(terms: PlanTerms): string {
  return JSON.stringify(terms, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
}

/** As an order pins them. */
export function termsJson(terms: PlanTerms): JsonObject {
  return JSON.parse(termsText(terms))
}

/** Of what `termsText` wrote. */
export function termsOf(stored: Json): PlanTerms {
  const { quota, caps, ...terms } = stored as unknown as StoredTerms
  return {
    ...terms,
    quota: BigInt(quota),
    caps: caps.map((cap) => ({ span: cap.span, quota: BigInt(cap.quota) })),
  }
}

interface StoredTerms extends Omit<PlanTerms, 'quota' | 'caps'> {
  readonly quota: string
  readonly caps: readonly { readonly span: Span; readonly quota: string }[]
}

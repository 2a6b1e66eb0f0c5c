/** The limits in force, read from their options: documents are checked before they are stored. */
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import type { Settings } from '../../../kernel/contract/kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { ThrottledCaller } from './throttle.js'

export interface Rules {
  readonly windowSeconds: number
  /** Of one user: requests and successes in a window; 0: no limit. */
  ofUser(caller: ThrottledCaller): Pair
  /** Of all users of a group together; 0: no limit. */
  ofGroup(group: string): number
  /** Of one API key; 0: no limit. */
  readonly ofToken: number
}

type Pair = readonly [requests: number, successes: number]

/** Undefined: nothing is limited. */
export function rulesOf(settings: Settings): Rules | undefined {
  if (!settings.boolean('enabled')) return undefined
  const fallback: Pair = [settings.number('total'), settings.number('successes')]
  const groups = new Map(Object.entries(settings.json('byGroup')) as [string, Pair][])
  const users = new Map(Object.entries(settings.json('byUser')) as [string, Pair][])
  const whole = new Map(Object.entries(settings.json('wholeGroup')) as [string, number][])
  return {
    windowSeconds: settings.number('minutes') * 60,
    ofUser: ({ userId, userGroup }) =>
      users.get(String(userId)) ?? groups.get(userGroup) ?? fallback,
    ofGroup: (group) => whole.get(group) ?? 0,
    ofToken: settings.number('perToken'),
  }
}

/** Checks of the documents by option; each throws `invalid_field`. */
export const documentChecks: Readonly<Record<string, (text: string) => void>> = {
  ModelRequestRateLimitGroup: (text) => eachOf('ModelRequestRateLimitGroup', text, pairFault),
  ModelRequestRateLimitUser(text) {
    eachOf('ModelRequestRateLimitUser', text, (key, value) =>
      /^[1-9]\d{0,9}$/.test(key) ? pairFault(key, value) : `names "${key}", which is no user id`,
    )
  },
  ModelRequestRateLimitGroupTotal(text) {
    eachOf('ModelRequestRateLimitGroupTotal', text, (key, value) =>
      isLimit(value) ? undefined : `must hold ${limitWords} for "${key}"`,
    )
  },
}

function eachOf(
  option: string,
  text: string,
  faultOf: (key: string, value: unknown) => string | undefined,
): void {
  const document: unknown = JSON.parse(text)
  const entries = isObject(document) ? Object.entries(document as JsonObject) : []
  for (const [key, value] of entries) {
    const fault = faultOf(key, value)
    if (fault === undefined) continue
    throw new Refusal('invalid_field', { reason: `${option} ${fault}.`, param: option })
  }
}

function pairFault(key: string, value: unknown): string | undefined {
  const fits = Array.isArray(value) && value.length === 2 && value.every(isLimit)
  return fits ? undefined : `must hold [requests, successes] for "${key}", each ${limitWords}`
}

const limitMax = 100_000_000
const limitWords = `a whole number from 0 to ${limitMax}`

function isLimit(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= limitMax
}

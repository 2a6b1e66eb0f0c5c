/**
 * Rules of access: who of a provider's people may come in, by what the provider reports of them. A rule about something
 * the provider does not report lets nobody in.
 */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { isObject } from '../../../kernel/contract/json.js'
import type { AccessRule } from './oauth.js'

/** Every rule must hold. */
export function admits(rules: readonly AccessRule[], claims: JsonObject): boolean {
  return rules.every((rule) => holds(rule, memberAt(claims, rule.field)))
}

function holds({ operator, value }: AccessRule, claim: Json | undefined): boolean {
  if (claim === undefined || claim === null) return false
  const wanted = Array.isArray(value) ? value : [value]
  if (operator === 'eq') return wanted.length === 1 && same(claim, wanted[0])
  if (operator === 'in') return wanted.some((one) => same(claim, one))
  const members = typeof claim === 'string' ? claim.split(' ') : claim
  return Array.isArray(members) && wanted.every((one) => members.some((item) => same(item, one)))
}

const plain: ReadonlySet<string> = new Set(['string', 'number', 'boolean'])

/** Forms tend to send numbers and truths as text. */
function same(claim: Json, wanted: unknown): boolean {
  const isPlain = plain.has(typeof claim)
  return claim === wanted || (isPlain && String(claim) === String(wanted))
}

/** A name with dots in it is looked for before it is taken for a path. */
function memberAt(claims: JsonObject, path: string): Json | undefined {
  if (Object.hasOwn(claims, path)) return claims[path]
  let at: Json | undefined = claims
  for (const name of path.split('.')) {
    if (!isObject(at) || !Object.hasOwn(at, name)) return undefined
    at = at[name]
  }
  return at
}

/** Fields whose form depends on another field: every form it may have, each with the words when it applies. */
import type { Json, JsonObject } from '../../../../kernel/contract/json.js'
import { type Described, type DescribedCondition, type Make, namedValues } from './described.js'

/** The value's own schema, and one form of each condition besides. */
export function conditioned(part: Described, own: JsonObject, make: Make): JsonObject {
  if (part.whens === undefined) return own
  const forms = part.whens.map((when) => {
    const branches = branchesOf(when, make)
    return { anyOf: isWhole(when) ? branches : [...branches, asItIs] }
  })
  const all = Object.keys(own).length === 0 ? forms : [own, ...forms]
  const [only] = all
  return all.length === 1 && only !== undefined ? only : { allOf: all }
}

/** The forms a condition names. */
export function branchesOf(condition: DescribedCondition, make: Make): readonly JsonObject[] {
  const field = condition.ref?.path?.join('.')
  return casesOf(condition).flatMap(({ is, then, otherwise }) => [
    ...(then === undefined
      ? []
      : [field === undefined ? formOf(then, is, make) : branch(then, placeOf(field, is), make)]),
    ...(otherwise === undefined ? [] : [branch(otherwise, 'Otherwise', make)]),
  ])
}

/** A condition on the value itself is part of the form. */
function formOf(then: Described, is: Described | undefined, make: Make): JsonObject {
  const parts = is === undefined ? [then] : [is, then]
  return { description: 'One form.', allOf: parts.map(make) }
}

const asItIs: JsonObject = { description: 'Otherwise: as it comes.' }

function casesOf(condition: DescribedCondition): readonly DescribedCondition[] {
  return condition.switch ?? [condition]
}

/** A case it does not name is left to the rest of the schema. */
function isWhole(condition: DescribedCondition): boolean {
  const cases = casesOf(condition)
  return cases.every(({ then }) => then !== undefined) && cases.at(-1)?.otherwise !== undefined
}

function placeOf(field: string, is: Described | undefined): string {
  const values = namedValues(is?.allow).map((value) => JSON.stringify(value))
  if (is?.flags?.only !== true) return `Depending on ${field}`
  return `Where ${field} is ${values.join(' or ')}`
}

function branch(part: Described, where: string, make: Make): JsonObject {
  const { description, ...schema } = make(part)
  return { description: `${where}${wordsOf(part)}.${after(description)}`, ...schema }
}

function wordsOf({ flags, type }: Described): string {
  if (flags?.result === 'strip') return ': ignored'
  if (flags?.presence === 'required') return ': required'
  return type === 'any' && flags?.only !== true ? ': as it comes' : ''
}

function after(description: Json | undefined): string {
  return description === undefined ? '' : ` ${String(description)}`
}

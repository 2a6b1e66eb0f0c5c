/**
 * A result in which everything that is as it was in an argument is that argument's own object again. Who called compares by
 * identity: a function that changes nothing returns what it was given, and only what changed is written anew.
 */
import { isObject } from '../../contract/json.js'

export function reused(result: unknown, known: unknown): unknown {
  // A body that was made of the argument names the argument as its original.
  if (isObject(result) && isObject(result.original)) merged(result.original, known)
  return merged(result, known)
}

function merged(result: unknown, known: unknown): unknown {
  if (result === known || typeof result !== 'object' || result === null) return result
  if (Buffer.isBuffer(result))
    return Buffer.isBuffer(known) && result.equals(known) ? known : result
  if (Array.isArray(result)) return Array.isArray(known) ? mergedList(result, known) : result
  return isObject(result) && isObject(known) ? mergedObject(result, known) : result
}

/** The result is a copy of its own, so it can be written to. */
function mergedList(result: unknown[], known: readonly unknown[]): readonly unknown[] {
  let isSame = result.length === known.length
  for (const [at, item] of result.entries()) {
    result[at] = merged(item, known[at])
    isSame &&= result[at] === known[at]
  }
  return isSame ? known : result
}

function mergedObject(result: object, known: object): object {
  const own = result as Record<string, unknown>
  const former = known as Readonly<Record<string, unknown>>
  const names = Object.keys(own)
  const knownNames = Object.keys(former)
  let isSame = names.length === knownNames.length
  for (const [at, name] of names.entries()) {
    if (!Object.hasOwn(former, name)) {
      isSame = false
      continue
    }
    const value = merged(own[name], former[name])
    if (value !== own[name]) own[name] = value
    isSame &&= name === knownNames[at] && Object.is(value, former[name])
  }
  return isSame ? known : result
}

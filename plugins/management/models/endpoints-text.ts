/**
 * What a model can be called for, as admins write it: a list of types, or an object of type and address, the address
 * as a path or as `{path, method}`. Sent as JSON or as its text, kept as text.
 */
import { isObject, type Json } from '../../../kernel/contract/json.js'
import { jsonDocument } from '../../../kernel/toolkit/management/index.js'

const entriesMax = 32
const typePattern = /^[a-z0-9][a-z0-9._-]{0,63}$/i
const pathPattern = /^\/[^\s\p{Cc}]{0,255}$/u
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The text to keep; empty: read from the name. Throws an `Error` whose message goes on after the field's name. */
export function endpointsText(value: unknown): string {
  if (typeof value === 'string' && value.trim() === '') return ''
  const endpoints = jsonDocument(value)
  if (Array.isArray(endpoints)) return listText(endpoints)
  if (!isObject(endpoints)) throw new Error('must be a JSON list or object')
  const entries = Object.entries(endpoints)
  checkTypes(entries.map(([type]) => type))
  for (const [type, address] of entries) checkAddress(type, address)
  return entries.length === 0 ? '' : JSON.stringify(endpoints)
}

function listText(types: readonly Json[]): string {
  checkTypes(types)
  const once = [...new Set(types)]
  return once.length === 0 ? '' : JSON.stringify(once)
}

function checkTypes(types: readonly Json[]): void {
  if (types.length > entriesMax) throw new Error(`has more than ${entriesMax} entries`)
  for (const type of types) {
    if (typeof type === 'string' && typePattern.test(type)) continue
    throw new Error('holds a type that is not 1 to 64 letters, digits or . _ -')
  }
}

function checkAddress(type: string, address: Json | undefined): void {
  const { path, method = 'POST' } = isObject(address) ? address : { path: address }
  // Nothing but the type: what is known of it here holds.
  if (isObject(address) && path === undefined && address.method === undefined) return
  if (typeof path !== 'string' || !pathPattern.test(path)) {
    throw new Error(`needs a path that begins with / for "${type}"`)
  }
  if (typeof method !== 'string' || !methods.includes(method.toUpperCase())) {
    throw new Error(`needs a method of ${methods.join(', ')} for "${type}"`)
  }
}

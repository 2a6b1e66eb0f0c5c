/** One spelling of every mail address: lower case, the domain in ASCII, so that two spellings never pass for two people. */
import { domainToASCII } from 'node:url'
import { readField } from './read-field.js'

/** RFC 5321: the whole, and what stands before the @. */
const lengthMax = 254
const localMax = 64
const local = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const domain =
  /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/** The address as it is kept. Undefined: it is none. */
export function mailAddress(text: string): string | undefined {
  const given = text.trim()
  const at = given.lastIndexOf('@')
  if (at < 1 || given.length > lengthMax) return undefined
  const before = given.slice(0, at).toLowerCase()
  const after = mailDomain(given.slice(at + 1))
  if (after === undefined || before.length > localMax || !local.test(before)) return undefined
  const address = `${before}@${after}`
  return address.length > lengthMax ? undefined : address
}

/** A domain as it is kept. Undefined: it is none. */
export function mailDomain(text: string): string | undefined {
  const ascii = domainToASCII(text.trim().toLowerCase())
  return domain.test(ascii) ? ascii : undefined
}

/** A field of a form that takes an address. Empty text: none was given. */
export const mailField = readField(
  (value) => {
    const address = typeof value === 'string' ? mailAddress(value) : undefined
    if (address === undefined) throw new Error('must be a mail address')
    return address
  },
  { openapi: { type: 'string', format: 'email' } },
).empty('')

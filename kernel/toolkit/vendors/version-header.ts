/**
 * The version header of the messages format: a date that exists, under the name its clients send or the neutral one
 * (FMT-1). Which versions there are is the upstream's business.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { Refusal } from '../errors/refusal.js'

const name = 'anthropic-version'
const neutralName = 'vendor-version'

/** As the client sent it; undefined: it sent none. */
export function versionOf(headers: IncomingHttpHeaders): string | undefined {
  const value = headers[name] ?? headers[neutralName]
  return value === undefined ? undefined : String(value)
}

/** Throws `invalid_request`, naming the header, where it is missing or no real date. */
export function requireVersion(headers: IncomingHttpHeaders): void {
  const version = versionOf(headers)
  if (version !== undefined && isDate(version)) return
  const param = headers[name] === undefined && version !== undefined ? neutralName : name
  const fault = version === undefined ? 'is required' : 'is no date'
  throw new Refusal('invalid_request', {
    param,
    reason: `The header ${param} ${fault}: it must be a date as YYYY-MM-DD, such as 2023-06-01.`,
  })
}

/** A day the calendar lacks comes back as another one, or as none. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** What OAuth providers have in common: how an app shows who it is, and what an answer of theirs says. */
import type { JsonObject } from '../contract/json.js'
import { parsedObject } from './fields.js'

/** RFC 6749 section 2.3.1: id and secret are form-encoded before they are joined. */
export function basicCredential(id: string, secret: string): string {
  const pair = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

/** The object a place answered. Some tell faults with status 200. Throws a sentence for the log that holds no secret. */
export async function answeredObject(
  place: string,
  response: Response,
  what: string,
): Promise<JsonObject> {
  const body = parsedObject(await response.text())
  if (body?.error !== undefined) throw new Error(`${place} refused ${what}: ${oauthFault(body)}.`)
  if (response.ok && body !== undefined) return body
  throw new Error(`${place} answered ${what} with status ${response.status} and nothing to read.`)
}

/** Only what is a code of a fault is repeated; anything else could hold a secret. */
export function oauthFault({ error }: JsonObject): string {
  return typeof error === 'string' && /^[a-z_]{1,64}$/.test(error) ? error : 'it gave no reason'
}

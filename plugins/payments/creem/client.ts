/** Calls of Creem's interface. Errors hold the status alone: what Creem returns may name the account. */
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import type { OutgoingKit } from '../../../kernel/contract/kit.js'
import { parsedText } from '../../../kernel/toolkit/json/index.js'
import type { Account } from './settings.js'

export interface Call {
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** Present: it is posted. */
  readonly body?: JsonObject
}

export type Caller = (call: Call) => Promise<JsonObject>

export class CreemError extends Error {
  constructor(readonly status: number) {
    super(`Creem refused the call with status ${status}.`)
  }
}

/** Rejects with an `Error` where Creem could not be reached or refused the call. */
export async function called(
  { path, query, body }: Call,
  { key, isTest }: Account,
  fetch: OutgoingKit['fetch'],
): Promise<JsonObject> {
  const host = isTest ? 'test-api.creem.io' : 'api.creem.io'
  const search = query === undefined ? '' : `?${new URLSearchParams(query)}`
  const headers = { 'x-api-key': key, accept: 'application/json' }
  const sent =
    body === undefined
      ? { headers }
      : {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }
  const response = await fetch(`https://${host}/v1/${path}${search}`, sent)
  const found = parsedText(await response.text())
  if (!response.ok) throw new CreemError(response.status)
  if (!isObject(found)) throw new Error('Creem returned no object.')
  return found
}

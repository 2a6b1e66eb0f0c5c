/** Reads the API key out of a relay request. Where it may stand depends on whose client calls (AUTH-1). */
import type { IncomingHttpHeaders } from 'node:http'
import type { Client, Credential } from '../../contract/client.js'

/** `Authorization: Bearer sk-…`, with or without the scheme. */
export function bearerCredential({ authorization }: IncomingHttpHeaders): Credential {
  return credential(keyIn(authorization))
}

/** Messages clients: `x-api-key` wins over `Authorization`. */
export function messagesCredential(headers: IncomingHttpHeaders): Credential {
  return credential(keyIn(headers['x-api-key']) || keyIn(headers.authorization))
}

/** Generative clients: the query's `key`, then `x-goog-api-key`, then `Authorization`. */
export function generativeCredential({ headers, query }: CallerFacts): Credential {
  return credential(
    keyIn(query.key) || keyIn(headers['x-goog-api-key']) || keyIn(headers.authorization),
  )
}

/** Paths that clients of every kind share: `Authorization` comes last, as with each of them. */
export function anyCredential({ headers, query }: CallerFacts): Credential {
  return credential(
    keyIn(query.key) ||
      keyIn(headers['x-goog-api-key']) ||
      keyIn(headers['x-api-key']) ||
      keyIn(headers.authorization),
  )
}

type CallerFacts = Pick<Client, 'headers' | 'query'>

/** No pattern spans the value: some of it comes from the address, long and of any characters. */
function keyIn(value: string | readonly string[] | undefined): string {
  if (value === undefined) return ''
  const text = String(value).trim()
  return /^bearer(\s|$)/i.test(text) ? text.slice('bearer'.length).trim() : text
}

function credential(key: string): Credential {
  return key === '' ? { kind: 'none' } : { kind: 'key', key }
}

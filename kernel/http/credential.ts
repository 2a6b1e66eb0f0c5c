/** Reads the API key out of a relay request: `Authorization: Bearer sk-…`, with or without the scheme (AUTH-1). */
import type { IncomingHttpHeaders } from 'node:http'
import type { Credential } from '../contract/exchange.js'

export function bearerCredential(headers: IncomingHttpHeaders): Credential {
  const value = headers.authorization
  if (value === undefined) return { kind: 'none' }
  const key = (/^bearer\s+(.*)$/i.exec(value)?.[1] ?? value).trim()
  return key === '' ? { kind: 'none' } : { kind: 'key', key }
}

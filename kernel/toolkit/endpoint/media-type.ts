/** Relay paths take JSON unless they upload; a body declared as anything else is refused before it is read (FMT-16). */
import type { IncomingHttpHeaders } from 'node:http'
import { Refusal } from '../errors/refusal.js'

export function requireJson(headers: IncomingHttpHeaders): void {
  const declared = headers['content-type']
  if (declared === undefined || declared === '' || json.test(declared)) return
  throw new Refusal('unsupported_media_type', {
    expected: 'application/json',
    given: declared.slice(0, 100),
    param: 'content-type',
  })
}

const json = /^application\/([\w.-]+\+)?json\s*(;|$)/i

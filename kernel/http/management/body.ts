/** The body of a request: read once it is known who sends it, within the room there is, and parsed by its declared form. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Request } from '@hapi/hapi'
import type { JsonObject } from '../../contract/json.js'
import type { Clock } from '../../contract/kit.js'
import type { ManagementRoute } from '../../contract/management.js'
import type { RouteManifest } from '../../contract/manifest.js'
import type { ByteBudget } from '../../memory/byte-budget.js'
import { isFormType, readForm } from '../../toolkit/body/form.js'
import { Refusal } from '../../toolkit/errors/refusal.js'
import { limits } from '../../toolkit/limits/limits.js'
import { callerAddress, countedNetwork } from '../inbound-facts.js'
import { httpLimits } from '../limits.js'
import { readRequest } from '../read-request.js'
import { isCoded, parsedJson } from '../request-body.js'
import type { TrustedProxies } from '../trusted-proxies.js'
import { announcesBody, leaveUnread } from '../unread.js'
import type { Visit } from '../visit.js'
import { checkAgainst } from './validation.js'

export interface BodyDependencies {
  readonly clock: Clock
  readonly budget: ByteBudget
  readonly proxies: TrustedProxies
}

const noBody = Promise.resolve(Buffer.alloc(0))

/** Throws a `Refusal`. `userId`: whose room it takes beside that of the address. */
export function bodyBytes(
  { raw }: Pick<Request, 'raw'>,
  {
    declared,
    visit,
    userId,
  }: { declared: RouteManifest; visit: Visit; userId?: number | undefined },
  { clock, budget, proxies }: BodyDependencies,
): Promise<Buffer> {
  if (declared.method === 'GET' || declared.body === 'none' || !announcesBody(raw.req)) {
    leaveUnread(raw, clock)
    return noBody
  }
  const { maxBytes = limits.strangerBodyBytesMax, credential } = declared
  const bytesMax = Math.min(maxBytes, budget.largestBytes)
  visit.holds(countedNetwork(callerAddress(raw.req, proxies), proxies), userId)
  return new Promise((taken, refused) => {
    readRequest(raw, {
      clock,
      bytesMax: credential === 'none' ? Math.min(bytesMax, limits.strangerBodyBytesMax) : bytesMax,
      timeoutMs: httpLimits.bodyMs,
      share: visit.share,
      taken,
      refused,
    })
  })
}

/** What the handler is passed. Throws a `Refusal`. */
export async function bodyValue(
  bytes: Buffer,
  headers: IncomingHttpHeaders,
  { declared, route, visit }: { declared: RouteManifest; route: ManagementRoute; visit: Visit },
): Promise<unknown> {
  switch (declared.body) {
    case 'none':
      return undefined
    case 'raw':
      return bytes
    case 'form':
      return checkAgainst(route.body, formOf(headers, bytes))
    case 'json':
      return checkAgainst(route.body, (await parsedJson(bytes, visit.share)) ?? {})
  }
}

/** Throws `unsupported_media_type`. */
export function requireJson(headers: IncomingHttpHeaders, hasBody: boolean): void {
  const type = String(headers['content-type'] ?? '')
  if (hasBody && !/^application\/json\s*(;|$)/i.test(type)) {
    throw new Refusal('unsupported_media_type', {
      expected: 'application/json',
      given: type.slice(0, 100),
      param: 'content-type',
    })
  }
  if (isCoded(headers['content-encoding'])) {
    throw new Refusal('unsupported_media_type', {
      expected: 'a body that is not compressed',
      given: headers['content-encoding'].slice(0, 100),
      param: 'content-encoding',
    })
  }
}

/** The fields of a form, as text; files are none of them. */
function formOf(headers: IncomingHttpHeaders, bytes: Buffer): JsonObject {
  if (bytes.length === 0) return {}
  const type = String(headers['content-type'] ?? '')
  if (isFormType(type)) return readForm(bytes, type).fields
  throw new Refusal('unsupported_media_type', {
    expected: 'application/x-www-form-urlencoded or multipart/form-data',
    given: type.slice(0, 100),
    param: 'content-type',
  })
}

/**
 * A key of the form `accessKey|secretKey` is exchanged for a token with every call: a JWT of HS256 that names the access key. Any
 * other key is sent as it is, as the service's newer keys and services in front of it want.
 */
import { createHmac } from 'node:crypto'
import type {
  ChannelView,
  Credentials,
  UpstreamRequest,
} from '../../../kernel/contract/provider.js'
import { upstreamUrl } from '../../../kernel/toolkit/provider/index.js'

export function call(
  method: 'GET' | 'POST',
  path: string,
  { baseUrl }: ChannelView,
  { key }: Credentials,
  now: number,
): UpstreamRequest {
  return {
    method,
    url: upstreamUrl(baseUrl, path),
    headers: {
      ...(method === 'POST' && { 'content-type': 'application/json' }),
      accept: 'application/json',
      authorization: `Bearer ${tokenOf(key, now)}`,
    },
  }
}

const secondsValid = 1800
/** By which the clock of the service may be behind. */
const secondsEarly = 5

/** `now` is Unix milliseconds. */
function tokenOf(key: string, now: number): string {
  const [accessKey = '', secretKey] = key.split('|').map((part) => part.trim())
  if (secretKey === undefined) return accessKey
  const seconds = Math.floor(now / 1000)
  const claims = { iss: accessKey, exp: seconds + secondsValid, nbf: seconds - secondsEarly }
  const signed = [{ alg: 'HS256', typ: 'JWT' }, claims].map(encoded).join('.')
  return `${signed}.${createHmac('sha256', secretKey).update(signed).digest('base64url')}`
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

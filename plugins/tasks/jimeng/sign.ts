/**
 * Calls of VolcEngine's OpenAPI: signature V4 (volcengine.com/docs/6369/67269) over method, path, query, three headers and the
 * body exactly as they go out. A key is `accessKey|secretKey`; any other is sent as a bearer key, as services in front of this
 * one want.
 */
import { createHash, createHmac } from 'node:crypto'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type {
  ChannelView,
  Credentials,
  UpstreamRequest,
} from '../../../kernel/contract/provider.js'
import { upstreamUrl } from '../../../kernel/toolkit/provider/index.js'

const region = 'cn-north-1'
const service = 'cv'
const version = '2022-08-31'

export function call(
  action: string,
  value: JsonObject,
  { baseUrl }: ChannelView,
  { key }: Credentials,
  now: number,
): UpstreamRequest {
  const url = upstreamUrl(baseUrl, `/?Action=${action}&Version=${version}`)
  const body = JSON.stringify(value)
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const [accessKey = '', secretKey] = key.split('|').map((part) => part.trim())
  const authority =
    secretKey === undefined
      ? { authorization: `Bearer ${accessKey}` }
      : signatureOf(url, body, { accessKey, secretKey, now })
  return { method: 'POST', url, headers: { ...headers, ...authority }, body }
}

interface Signing {
  readonly accessKey: string
  readonly secretKey: string
  /** Unix milliseconds. */
  readonly now: number
}

const signed = 'host;x-content-sha256;x-date'

/** The headers that prove who calls. The host is the connection's own to send. */
function signatureOf(
  url: string,
  body: string,
  { accessKey, secretKey, now }: Signing,
): Record<string, string> {
  const { host, pathname, searchParams } = new URL(url)
  searchParams.sort()
  const date = new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, '')
  const digest = hashed(body)
  const headers = `host:${host}\nx-content-sha256:${digest}\nx-date:${date}\n`
  const canonical = ['POST', pathname, `${searchParams}`, headers, signed, digest].join('\n')
  const scope = `${date.slice(0, 8)}/${region}/${service}/request`
  const text = ['HMAC-SHA256', date, scope, hashed(canonical)].join('\n')
  const key = scope.split('/').reduce<string | Buffer>(keyed, secretKey)
  const signature = keyed(key, text).toString('hex')
  return {
    'x-date': date,
    'x-content-sha256': digest,
    authorization: `HMAC-SHA256 Credential=${accessKey}/${scope}, SignedHeaders=${signed}, Signature=${signature}`,
  }
}

function hashed(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function keyed(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

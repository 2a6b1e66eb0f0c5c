/**
 * Whether a provider may call an address: the channel's own host, one its manifest names, or one an admin wrote into a
 * field of the channel that the manifest names. A provider is code from outside; what it makes of a channel's key goes
 * nowhere else.
 */
import type { JsonObject } from '../../contract/json.js'
import { originOf, writtenOrigins } from './written-origins.js'

/**
 * `hosts` as in the manifest: names, `*.example.com`, `channel`, which stands for the channel's base URL, and
 * `channelSettings.<name>` for addresses in that field of its `settings`.
 */
export function mayReach(
  url: string,
  baseUrl: string,
  hosts: readonly string[],
  settings: JsonObject = {},
): boolean {
  if (hosts.includes('channel') && isWithin(url, baseUrl)) return true
  if (hosts.length === 0 || !URL.canParse(url)) return false
  if (isWritten(url, hosts, settings)) return true
  if (losesEncryption(url, baseUrl)) return false
  const { hostname } = new URL(url)
  return hosts.some((host) =>
    host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host,
  )
}

const fieldOfChannel = 'channelSettings.'

/** The very origin an admin wrote, scheme included: whoever writes `http` there wants no encryption. */
function isWritten(url: string, hosts: readonly string[], settings: JsonObject): boolean {
  const origin = originOf(url)
  return hosts.some(
    (host) =>
      host.startsWith(fieldOfChannel) &&
      origin !== undefined &&
      writtenOrigins(settings[host.slice(fieldOfChannel.length)]).has(origin),
  )
}

/** No parsing on the hot path: nearly every call begins with the channel's base URL. */
function isWithin(url: string, baseUrl: string): boolean {
  if (baseUrl === '' || !url.startsWith(baseUrl)) return sameHost(url, baseUrl)
  const next = url[baseUrl.length]
  return next === undefined || next === '/' || next === '?' || baseUrl.endsWith('/')
}

/** A socket's address differs from the base in its scheme only. */
function sameHost(url: string, baseUrl: string): boolean {
  if (!URL.canParse(url) || !URL.canParse(baseUrl) || losesEncryption(url, baseUrl)) return false
  return new URL(url).host === new URL(baseUrl).host
}

/** Where a channel is reached over TLS, its key goes nowhere in plain text, to its own host neither. */
function losesEncryption(url: string, baseUrl: string): boolean {
  return URL.canParse(baseUrl) && isEncrypted(baseUrl) && !isEncrypted(url)
}

function isEncrypted(url: string): boolean {
  const { protocol } = new URL(url)
  return protocol === 'https:' || protocol === 'wss:'
}

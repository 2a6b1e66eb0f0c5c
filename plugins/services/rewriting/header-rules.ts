/**
 * Which headers an operator may set, and which of the client's may go on to an upstream (S13). What a client
 * proves itself with to this gateway is never read, not even where a document names it.
 */
import { isHeaderName, isHeaderValue } from '../../../kernel/toolkit/endpoint/index.js'
import { forbiddenKeys } from '../../../kernel/toolkit/json/index.js'
import type { OverrideContext } from './rewriting.js'

export type ClientHeaders = OverrideContext['clientHeaders']

const headerCharactersMax = 8192

/** Keys and sessions of this gateway. */
const secret: ReadonlySet<string> = new Set([
  'api-key',
  'authorization',
  'cookie',
  'cookie2',
  'mj-api-secret',
  'proxy-authorization',
  'sec-websocket-protocol',
  'set-cookie',
  'x-api-key',
  'x-goog-api-key',
  'x-turnstile-token',
])

/** Belong to one connection or to the length and coding of one body, and those are made here. */
const ofConnection: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Tell an upstream where the client sits, or which pages this gateway serves. */
const ofClient: ReadonlySet<string> = new Set([
  'cf-connecting-ip',
  'content-md5',
  'digest',
  'fastly-client-ip',
  'forwarded',
  'origin',
  'referer',
  'true-client-ip',
  'via',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'x-real-ip',
])
const ofClientPrefixes = ['proxy-', 'sec-', 'x-forwarded-'] as const

export function isSecret(name: string): boolean {
  return secret.has(name)
}

/** Whether a client's header may go on under its own name. `name` is lower case. */
export function mayPass(name: string): boolean {
  if (secret.has(name) || ofConnection.has(name) || ofClient.has(name)) return false
  return !forbiddenKeys.has(name) && !ofClientPrefixes.some((prefix) => name.startsWith(prefix))
}

/** Why a header cannot be set, as the end of a sentence; undefined: it can. `name` is lower case. */
export function faultOfName(name: string): string | undefined {
  if (!isHeaderName(name) || name.length > 128) return 'is no name of a header'
  if (forbiddenKeys.has(name)) return 'is not allowed'
  if (ofConnection.has(name) || name.startsWith('proxy-') || name.startsWith('sec-websocket-')) {
    return 'is set by the gateway itself'
  }
  return undefined
}

/** A value that can be sent as it is: one line of Latin characters. */
export function isSendable(value: string): boolean {
  return value.length <= headerCharactersMax && isHeaderValue(value)
}

/** A header of the client; undefined: it sent none, or one that is secret. `name` is lower case. */
export function clientHeader(headers: ClientHeaders, name: string): string | undefined {
  if (secret.has(name) || !Object.hasOwn(headers, name)) return undefined
  const value = headers[name]
  return typeof value === 'string' ? value : value?.join(', ')
}

/** The client's headers that may go on. Those it names in `Connection` are meant for this gateway alone. */
export function passable(headers: ClientHeaders): readonly (readonly [string, string])[] {
  const named = namedInConnection(headers)
  const passing: [string, string][] = []
  for (const name in headers) {
    if (!mayPass(name) || named.includes(name)) continue
    const value = clientHeader(headers, name)
    if (value !== undefined && isSendable(value)) passing.push([name, value])
  }
  return passing
}

function namedInConnection(headers: ClientHeaders): readonly string[] {
  const names = clientHeader(headers, 'connection') ?? ''
  return names
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
}

/**
 * The two kinds of keys: an access key pair with its region, which signs every call, and an API key, which is sent as it
 * is. The form distinguishes them: parts are separated by `|`, which stands in none of them.
 */
import type { ChannelView } from '../../kernel/contract/provider.js'
import { Refusal } from '../../kernel/toolkit/errors/index.js'

export type BedrockKey = SigningKey | ApiKey

interface SigningKey {
  readonly kind: 'signing'
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Of temporary credentials. Absent: the pair is a lasting one. */
  readonly sessionToken?: string
}

interface ApiKey {
  readonly kind: 'api'
  readonly region: string
  readonly apiKey: string
}

/** `AK|SK|region`, `AK|SK|region|session token`, `API key|region`, or an API key alone. */
export function readKey(key: string, { settings }: ChannelView): BedrockKey {
  const parts = key.split('|').map((part) => part.trim())
  const [first = '', second = '', third = '', fourth] = parts
  if (parts.length > 4 || parts.includes('')) throw new Refusal('channel:invalid_key')
  if (parts.length < 3) {
    return { kind: 'api', apiKey: first, region: regionOf(second || settings.region) }
  }
  return {
    kind: 'signing',
    accessKeyId: first,
    secretAccessKey: second,
    region: regionOf(third),
    sessionToken: fourth,
  }
}

function regionOf(word: unknown): string {
  if (isRegion(word)) return word.trim()
  throw new Refusal('channel:invalid_key')
}

/** It becomes part of a host name. */
export function isRegion(word: unknown): word is string {
  return typeof word === 'string' && /^[a-z]{2,5}(?:-[a-z]{2,12}){1,3}-\d{1,2}$/.test(word.trim())
}

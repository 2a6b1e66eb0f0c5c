/** What is kept of headers, addresses and texts without what is secret in them. */
import { maskedText } from '../../../kernel/toolkit/errors/index.js'
import { createRedaction } from '../../../kernel/toolkit/service/index.js'
import { headerCharactersMax, headersMax } from './bounds.js'
import type { KeptHeader } from './recordings.js'

const mask = '***'
const redaction = createRedaction()

/** Words within names of headers and of parts of a query whose values are secret. */
const secretWords = new Set(
  [
    'authorization',
    'auth',
    'cookie',
    'key',
    'apikey',
    'token',
    'secret',
    'signature',
    'sig',
  ].concat(['password', 'passwd', 'credential', 'credentials', 'session', 'jwt']),
)

function isSecretName(name: string): boolean {
  return name
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .some((word) => secretWords.has(word))
}

/** A text without these, and without what looks like a secret. */
export function masking(secrets: readonly string[]): (text: string) => string {
  return (text) => redaction.mask(maskedText(text, ...secrets))
}

export type RawHeaders = Iterable<readonly [name: string, value: string]>

export function keptHeaders(headers: RawHeaders, masked: (text: string) => string): KeptHeader[] {
  const kept: KeptHeader[] = []
  for (const [name, value] of headers) {
    if (kept.length === headersMax) break
    const shown = isSecretName(name) ? mask : masked(value)
    kept.push([name.toLowerCase(), shown.slice(0, headerCharactersMax)])
  }
  return kept
}

/** Values of secret headers, so that they are known where they stand elsewhere. */
export function secretsIn(headers: RawHeaders): readonly string[] {
  return [...headers].flatMap(([name, value]) => {
    if (!isSecretName(name)) return []
    // A scheme may stand before the secret, as in `Bearer …`; a cookie is a name and a value.
    return value.split(/[\s;=,]+/).filter((part) => part.length >= secretCharactersMin)
  })
}

/** Shorter parts stand in ordinary words. */
const secretCharactersMin = 12

export function keptAddress(address: string, masked: (text: string) => string): string {
  const [path = '', query] = address.split('?', 2)
  if (query === undefined) return masked(path)
  const parts = query.split('&').map((part) => {
    const [name = '', ...value] = part.split('=')
    return isSecretName(name) ? `${name}=${mask}` : `${name}=${masked(value.join('='))}`
  })
  return `${masked(path)}?${parts.join('&')}`.slice(0, headerCharactersMax)
}

/** An upstream's message without the key it was called with, in whatever spelling; and the message for the operator. */
import type { Failure } from '../../contract/failure.js'

/** What is shorter than this stands in ordinary words too. */
const secretCharactersMin = 6

/** What a call carried that no client may read: the channel's key, and the values of headers its operator wrote. */
export function secretsOfCall(call: {
  readonly key: string
  readonly headers?: Readonly<Record<string, string | null>>
}): readonly string[] {
  if (call.headers === undefined) return [call.key]
  const written = Object.values(call.headers).filter((value) => value !== null)
  // A scheme may stand before the secret, as in `Bearer …`.
  return [call.key, ...written, ...written.flatMap((value) => value.split(' ').slice(1))]
}

/** A `key` may be several parts with `|` between them. */
export function maskedFailure(failure: Failure, ...keys: readonly string[]): Failure {
  const secrets = secretsOf(keys)
  const { message, upstreamMessage: words, type, param } = failure
  return {
    ...failure,
    message: without(message, secrets),
    ...(words !== undefined && { upstreamMessage: without(words, secrets) }),
    ...(type !== undefined && { type: without(type, secrets) }),
    ...(param !== undefined && { param: without(param, secrets) }),
  }
}

/** A text of an upstream without them. */
export function maskedText(text: string, ...keys: readonly string[]): string {
  return without(text, secretsOf(keys))
}

/** The same of an error body that is yet to be read: what is cut or masked by its shape there may hold half a key. */
export function maskedBody(body: Buffer, ...keys: readonly string[]): Buffer {
  const text = body.toString('utf8')
  const masked = withoutWhole(text, secretsOf(keys))
  return masked === text ? body : Buffer.from(masked)
}

/** For the operator: what happened, and the upstream's message. */
export function operatorMessage({ message, upstreamMessage: words = '' }: Failure): string {
  return words === '' ? message : `${message} It said: ${words}`
}

/** Longest first, so that none is left in pieces by one it holds. */
function secretsOf(keys: readonly string[]): readonly string[] {
  return keys
    .flatMap((key) => [key.trim(), ...key.split('|').map((part) => part.trim())])
    .filter((secret) => secret.length >= secretCharactersMin)
    .flatMap(spellings)
    .sort((left, right) => right.length - left.length)
}

/** As it is, as it stands in an address, and as it stands inside a JSON text. */
function spellings(secret: string): readonly string[] {
  const plain = secret.replace(/\p{Surrogate}/gu, '\ufffd')
  return [...new Set([secret, encodeURIComponent(plain), JSON.stringify(secret).slice(1, -1)])]
}

function without(text: string, secrets: readonly string[]): string {
  const whole = withoutWhole(text, secrets)
  return whole.endsWith('…') ? withoutBeginning(whole.slice(0, -1), secrets) : whole
}

function withoutWhole(text: string, secrets: readonly string[]): string {
  return secrets.reduce((left, secret) => left.replaceAll(secret, () => '***'), text)
}

/** A text that was cut may end in the beginning of a secret. */
function withoutBeginning(text: string, secrets: readonly string[]): string {
  for (const secret of secrets) {
    for (let length = secret.length - 1; length >= secretCharactersMin; length -= 1) {
      if (text.endsWith(secret.slice(0, length))) return `${text.slice(0, -length)}***…`
    }
  }
  return `${text}…`
}

/** Signatures of the kind RSA2: parameters that are not empty, sorted by name, as `a=b&c=d`, by SHA-256 and RSA. */
import { type KeyObject, sign, verify } from 'node:crypto'

export type Parameters = Readonly<Record<string, string>>

export function signature(parameters: Parameters, key: KeyObject): string {
  return sign('sha256', Buffer.from(signedText(parameters, ['sign'])), key).toString('base64')
}

/** A notice is signed without `sign_type`. */
export function isSigned(parameters: Parameters, key: KeyObject): boolean {
  const { sign: given = '', sign_type } = parameters
  if (given === '' || sign_type !== 'RSA2') return false
  return isSignedText(signedText(parameters, ['sign', 'sign_type']), given, key)
}

export function isSignedText(text: string, given: string, key: KeyObject): boolean {
  return verify('sha256', Buffer.from(text), key, Buffer.from(given, 'base64'))
}

function signedText(parameters: Parameters, without: readonly string[]): string {
  return Object.keys(parameters)
    .filter((name) => !without.includes(name) && parameters[name] !== '')
    .sort()
    .map((name) => `${name}=${parameters[name]}`)
    .join('&')
}

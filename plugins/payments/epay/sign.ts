/**
 * Signatures of both interfaces: all parameters that are not empty but `sign` and `sign_type`, sorted by name, as `a=b&c=d`.
 * The first appends the merchant's key and takes the MD5, the second signs with SHA-256 and RSA.
 */
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { isEqualInConstantTime } from '../../../kernel/toolkit/payment/index.js'

export type Parameters = Readonly<Record<string, string>>

export type Keys =
  | { readonly kind: 'MD5'; readonly key: string }
  | { readonly kind: 'RSA'; readonly merchantKey: string; readonly platformKey: string }

/** Throws where the private key cannot be read. */
export function signature(parameters: Parameters, keys: Keys): string {
  const text = signedText(parameters)
  if (keys.kind === 'MD5') return md5(text + keys.key)
  const key = createPrivateKey(pem(keys.merchantKey, 'PRIVATE KEY'))
  return sign('sha256', Buffer.from(text), key).toString('base64')
}

/** Never throws. */
export function isSigned(parameters: Parameters, keys: Keys): boolean {
  const { sign: given = '' } = parameters
  const text = signedText(parameters)
  if (keys.kind === 'MD5') return isEqualInConstantTime(given.toLowerCase(), md5(text + keys.key))
  try {
    const key = createPublicKey(pem(keys.platformKey, 'PUBLIC KEY'))
    return verify('sha256', Buffer.from(text), key, Buffer.from(given, 'base64'))
  } catch {
    return false
  }
}

function signedText(parameters: Parameters): string {
  return Object.keys(parameters)
    .filter((name) => name !== 'sign' && name !== 'sign_type' && parameters[name] !== '')
    .sort()
    .map((name) => `${name}=${parameters[name]}`)
    .join('&')
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex')
}

/** Merchants paste keys with and without the lines around them. */
function pem(key: string, label: string): string {
  const text = key.trim()
  if (text.startsWith('-----')) return text
  const lines = text.replace(/\s+/g, '').match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}

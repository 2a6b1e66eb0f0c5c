/**
 * Masks secrets in a finished log line: those the gateway knows, wherever they turn up, and what looks like
 * one by its shape or its neighbour. The line stays the JSON it was.
 */
import { createKnownSecrets } from './known-secrets.js'

export interface Redaction {
  add(secret: string): void
  mask(line: string): string
}

export function createRedaction(): Redaction {
  const known = createKnownSecrets()
  return {
    add(secret) {
      for (const spelling of spellings(secret)) known.add(spelling)
    },
    mask: (line) => maskShapes(known.mask(line)),
  }
}

/** As it stands inside a JSON string, and as it stands in an address. */
function spellings(secret: string): ReadonlySet<string> {
  const inJson = JSON.stringify(secret).slice(1, -1)
  const inAddress = encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '\ufffd'))
  return new Set([inJson, inAddress])
}

const mask = '***'

/** Names whose value is masked, as a JSON key at any depth of quoting or as a header line. */
const names =
  'authorization|proxy-authorization|cookie|set-cookie|x-api-key|x-goog-api-key|api[-_]?key|' +
  '(?:access|refresh|authorization|auth|session|id|security)[-_]?token|client[-_]?secret|' +
  '(?:secret[-_]?)?access[-_]?key|(?:private|secret)[-_]?key|password|passwd|secret|totp'

/** What every line holds that a shape below could match; most lines hold none of it and are done here. */
const suspicious =
  /[spr]k-|bearer|basic|authoriz|cookie|(?:api|access|private)[-_]?key|token[\\":=\s]|secret|passw|totp|[?&](?:key|token|sig)|AIza|eyJ|:\/\/[^\s/"]*@/i

/**
 * Every one is linear: none tries again from within what it has read. So a run of backslashes is read from its beginning
 * alone, credentials in an address from the `://` on, and a JSON web token is first read whole, then judged. The quotes of
 * a value have as many backslashes as those of its name: the quote that ends a text is none of those that stand in it.
 */
const shapes: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(String.raw`((?<!\\)(\\*)"(?:${names}|token)\2"\s*:\s*\2")(?:[^"\\]|\\.)+`, 'gi'),
    `$1${mask}`,
  ],
  [/\b(bearer|basic)\s+[^\s"\\,;]{6,}/gi, `$1 ${mask}`],
  [
    new RegExp(String.raw`\b((?:${names})\s*[:=]\s*)(?!bearer |basic )[^\s"\\,;&]+`, 'gi'),
    `$1${mask}`,
  ],
  [/([?&](?:key|token|sig|signature)=)[^&\s"\\#]+/gi, `$1${mask}`],
  [/\b(sk|pk|rk)-[A-Za-z0-9_-]{8,}/g, `$1-${mask}`],
  [/\bAIza[A-Za-z0-9_-]{20,}/g, mask],
  [/(:\/\/[^\s/:@"\\]*:)[^\s/"\\]+@/g, `$1${mask}@`],
]
const webToken = /\beyJ[A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]*)*/g

function maskShapes(line: string): string {
  if (!suspicious.test(line)) return line
  let masked = line
  for (const [shape, replacement] of shapes) masked = masked.replace(shape, replacement)
  return masked.replace(webToken, maskedToken)
}

/** Header and claims have eight characters at least; what stands before them is no secret. */
function maskedToken(text: string): string {
  const parts = text.split('.')
  const header = parts.findIndex(
    (part, index) => /\beyJ[A-Za-z0-9_-]{8}/.test(part) && (parts[index + 1]?.length ?? 0) >= 8,
  )
  return header === -1 ? text : [...parts.slice(0, header), mask].join('.')
}

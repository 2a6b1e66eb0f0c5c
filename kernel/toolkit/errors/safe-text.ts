/**
 * What may be repeated of somebody else's words: one line, capped, with everything masked that could be a key, an
 * address or a host name (ERR-2, X3).
 */

/** Masks first, then cuts to `max` characters. */
export function safeText(text: string, max = 500): string {
  let safe = text.slice(0, max * 8).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
  for (const pattern of secrets) safe = safe.replace(pattern, '***')
  const characters = [...safe.trim()]
  return characters.length > max ? `${characters.slice(0, max).join('')}…` : characters.join('')
}

const secrets: readonly RegExp[] = [
  /\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s"'<>)\]]+/gi,
  /\b(?:bearer|basic)\s+[\w.~+/=-]{8,}/gi,
  /\b(?:sk|pk|rk|pat|app|key|org|proj|api|token)[-_][\w*.-]{8,}/gi,
  /\bAIza[\w-]{10,}/g,
  /\beyJ[\w.-]{8,}/g,
  /(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]+/g,
  /\b(?:[a-z0-9-]{1,63}\.){1,6}(?:com|cn|net|org|io|ai|dev|app|cloud|co|local|internal)\b(?::\d+)?(?:\/\S*)?/gi,
  /\b\d{1,3}(?:\.\d{1,3}){3}\b(?::\d+)?/g,
  /(?<![\w:])(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{1,4}\b/gi,
  // Long runs that mix letters and digits, as keys and ids do; dashes would catch model names.
  /\b(?=\w{0,200}\d)(?=\w{0,200}[a-z])\w{28,}\b/gi,
]

/** A recorded text for the eye: JSON is laid out, and signs that control a terminal or turn the line around are shown as what they are. */

const unseen = /[\p{Cc}\p{Cf}\p{Cs}]/gu
const kept = new Set(['\n', '\t', '\r'])

export function shownText(text: string): string {
  return laidOut(text).replace(unseen, (sign) => (kept.has(sign) ? sign : codeOf(sign)))
}

function laidOut(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}

function codeOf(sign: string): string {
  return `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`
}

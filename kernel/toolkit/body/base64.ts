/** Whether a text is base64. Decoders leave out what is none, and so make another file of it. */

/** One pattern over 130 million characters would stall everybody else. */
const pieceChars = 65_536
const piece = /^[\w+/\s-]*$/

/** In either alphabet, with or without padding; lines may be broken. */
export function isBase64(text: string): boolean {
  let end = text.length
  while (end > 0 && isPadding(text[end - 1]!)) end -= 1
  if (end === 0) return false
  for (let at = 0; at < end; at += pieceChars) {
    if (!piece.test(text.slice(at, Math.min(at + pieceChars, end)))) return false
  }
  return true
}

function isPadding(character: string): boolean {
  return character === '=' || character === '\n' || character === '\r' || character === ' '
}

/**
 * Text of others on its way into a table that people read: log content, failure reasons of tasks (API-7,
 * X17). One line, bounded, and marked where something was cut off.
 */

/** Longest result in Unicode code points, the marker included. */
export const persistentTextMax = 4096
export const truncationMarker = '… [truncated]'

/** Line breaks, tabs and other control characters become spaces; at most 4096 code points stay. */
export function persistentText(text: string): string {
  // No code point takes more than two units, so what lies behind this cut can never be kept.
  const kept = text.slice(0, 2 * (persistentTextMax + 1))
  const line = kept.replace(/[\p{Cc}\u2028\u2029]/gu, ' ').replace(/\p{Surrogate}/gu, '\ufffd')
  const end = offsetOf(line, persistentTextMax)
  if (end === line.length && kept.length === text.length) return line
  return (
    line.slice(0, offsetOf(line, persistentTextMax - truncationMarker.length)) + truncationMarker
  )
}

/** Where in the string the given number of code points ends, in UTF-16 units; its length where it has fewer. */
function offsetOf(text: string, codePoints: number): number {
  let offset = 0
  for (let count = 0; count < codePoints && offset < text.length; count += 1) {
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1
  }
  return offset
}

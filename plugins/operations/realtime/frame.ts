/**
 * Looks into a frame without parsing it: nearly every frame is a piece of audio, and only its type matters. Walks the
 * top level of the object alone, so no text inside a value is taken for a field.
 */

/** The text of a top-level string field as it stands; '' where there is none or the frame is no object. */
export function fieldOf(frame: Buffer, name: string): string {
  const range = rangeOf(frame, name)
  return range === undefined ? '' : frame.toString('latin1', range.from, range.to)
}

export interface Range {
  readonly from: number
  readonly to: number
}

/** Where the inside of a top-level string field stands. */
export function rangeOf(frame: Buffer, name: string): Range | undefined {
  let at = skipBlank(frame, 0)
  if (frame[at] !== openBrace) return undefined
  at = skipBlank(frame, at + 1)
  while (frame[at] === quote) {
    const keyEnd = stringEnd(frame, at)
    const isField =
      keyEnd - at - 1 === name.length && frame.toString('latin1', at + 1, keyEnd) === name
    at = skipBlank(frame, keyEnd + 1)
    if (frame[at] !== colon) return undefined
    at = skipBlank(frame, at + 1)
    const end = valueEnd(frame, at)
    if (isField) return frame[at] === quote ? { from: at + 1, to: end - 1 } : undefined
    at = skipBlank(frame, end)
    if (frame[at] !== comma) return undefined
    at = skipBlank(frame, at + 1)
  }
  return undefined
}

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const colon = 0x3a
const comma = 0x2c

function skipBlank(frame: Buffer, from: number): number {
  let at = from
  while (at < frame.length && frame[at]! <= 0x20) at += 1
  return at
}

/** Index of the closing quote of the string that opens at `open`; the end of the frame where none closes it. */
function stringEnd(frame: Buffer, open: number): number {
  let close = open
  do {
    close = frame.indexOf(quote, close + 1)
    if (close === -1) return frame.length
  } while (isEscaped(frame, close))
  return close
}

function isEscaped(frame: Buffer, at: number): boolean {
  let first = at
  while (frame[first - 1] === backslash) first -= 1
  return (at - first) % 2 === 1
}

/** Index behind the value that begins here. */
function valueEnd(frame: Buffer, from: number): number {
  if (frame[from] === quote) return stringEnd(frame, from) + 1
  let depth = 0
  for (let at = from; at < frame.length; at += 1) {
    const byte = frame[at]!
    if (byte === quote) at = stringEnd(frame, at)
    else if (byte === openBrace || byte === openBracket) depth += 1
    else if (byte === closeBrace || byte === closeBracket) {
      if (depth === 0) return at
      depth -= 1
      if (depth === 0) return at + 1
    } else if (byte === comma && depth === 0) return at
  }
  return frame.length
}

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

/** Where the inside of a top-level string field stands; undefined too where looking for it takes too long. */
export function rangeOf(frame: Buffer, name: string): Range | undefined {
  return new Walk(frame).rangeOf(name)
}

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const colon = 0x3a
const comma = 0x2c

/** Bytes, escaped quotes and members that are looked at; a frame that means something needs far fewer (decision 0065). */
const stepsMax = 500_000

class Walk {
  private steps = 0

  constructor(private readonly frame: Buffer) {}

  rangeOf(name: string): Range | undefined {
    const { frame } = this
    let at = this.behindBlanks(0)
    if (frame[at] !== openBrace) return undefined
    at = this.behindBlanks(at + 1)
    while (frame[at] === quote && this.steps < stepsMax) {
      const keyEnd = this.stringEnd(at)
      const isField =
        keyEnd - at - 1 === name.length && frame.toString('latin1', at + 1, keyEnd) === name
      at = this.behindBlanks(keyEnd + 1)
      if (frame[at] !== colon) return undefined
      at = this.behindBlanks(at + 1)
      const end = this.valueEnd(at)
      if (this.steps >= stepsMax) return undefined
      if (isField) return frame[at] === quote ? { from: at + 1, to: end - 1 } : undefined
      at = this.behindBlanks(end)
      if (frame[at] !== comma) return undefined
      at = this.behindBlanks(at + 1)
      // Comparing a key takes longer than passing a byte.
      this.steps += 16
    }
    return undefined
  }

  private behindBlanks(from: number): number {
    const { frame } = this
    let at = from
    while (at < frame.length && frame[at]! <= 0x20 && this.steps < stepsMax) {
      this.steps += 1
      at += 1
    }
    return at
  }

  /** Index of the closing quote of the string that opens at `open`; the end of the frame where none closes it. */
  private stringEnd(open: number): number {
    const { frame } = this
    let close = open
    do {
      close = frame.indexOf(quote, close + 1)
      if (close === -1) return frame.length
      this.steps += 4
    } while (this.steps < stepsMax && isEscaped(frame, close))
    return close
  }

  /** Index behind the value that begins here. */
  private valueEnd(from: number): number {
    const { frame } = this
    if (frame[from] === quote) return this.stringEnd(from) + 1
    let depth = 0
    for (let at = from; at < frame.length && this.steps < stepsMax; at += 1) {
      this.steps += 1
      const byte = frame[at]!
      if (byte === quote) at = this.stringEnd(at)
      else if (byte === openBrace || byte === openBracket) depth += 1
      else if (byte === closeBrace || byte === closeBracket) {
        if (depth === 0) return at
        depth -= 1
        if (depth === 0) return at + 1
      } else if (byte === comma && depth === 0) return at
    }
    return frame.length
  }
}

function isEscaped(frame: Buffer, at: number): boolean {
  let first = at
  while (frame[first - 1] === backslash) first -= 1
  return (at - first) % 2 === 1
}

/**
 * Counts the text of whole completion chunks by scanning their bytes, without parsing them, and notices what must be
 * read: usage, errors, and what is no chunk at all.
 */
import { TokenCounter } from '../../../kernel/toolkit/format/index.js'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const OPEN = 0x7b
/** First letter of `null`. */
const N = 0x6e

const names = ['text', 'usage', 'error', 'choices'] as const
/** The keys that matter; every other one is ''. */
type Key = (typeof names)[number] | ''

/** Depth of what belongs to the chunk, and of what belongs to one of its choices. */
const inChunk = 1
const inChoice = 3

export class TextScan {
  /** Text was counted, in this chunk or an earlier one. */
  delivered = false
  private readonly counter = new TokenCounter()
  private depth = 0
  private inChoices = false
  private sawChoices = false
  private sawUnusual = false

  get estimatedTokens(): number {
    return this.counter.estimatedTokens
  }

  /** The chunk scanned last holds something that only parsing can show. */
  get mustRead(): boolean {
    return this.sawUnusual || !this.sawChoices
  }

  scan(bytes: Buffer, from: number, to: number): void {
    this.depth = 0
    this.inChoices = false
    this.sawChoices = false
    this.sawUnusual = false
    let at = from
    while (at < to) {
      const byte = bytes[at]!
      if (byte === QUOTE) {
        at = this.string(bytes, at + 1, to)
        continue
      }
      if (byte === OPEN || byte === 0x5b) this.depth += 1
      else if (byte === 0x7d || byte === 0x5d) this.depth -= 1
      at += 1
    }
  }

  /** A string, and the text behind it where it is that key; answers where to go on. */
  private string(bytes: Buffer, from: number, to: number): number {
    const end = closingQuote(bytes, from, to)
    const colon = skipSpace(bytes, end + 1)
    if (bytes[colon] !== COLON) return end + 1
    const value = skipSpace(bytes, colon + 1)
    const key = keyAt(bytes, from, end)
    if (this.depth === inChunk) this.chunkKey(key, bytes[value])
    else if (this.depth === inChoice && this.inChoices) {
      if (key === 'usage') this.sawUnusual ||= bytes[value] === OPEN
      if (key === 'text' && bytes[value] === QUOTE) return this.text(bytes, value + 1, to)
    }
    return value
  }

  private chunkKey(key: Key, value: number | undefined): void {
    this.inChoices = key === 'choices'
    if (this.inChoices) this.sawChoices = true
    else if (key === 'usage') this.sawUnusual ||= value === OPEN
    else if (key === 'error') this.sawUnusual ||= value !== N
  }

  private text(bytes: Buffer, from: number, to: number): number {
    const end = closingQuote(bytes, from, to)
    if (end > from) {
      this.counter.addJson(bytes, from, end)
      this.delivered = true
    }
    return end + 1
  }
}

function closingQuote(bytes: Buffer, from: number, to: number): number {
  let at = from
  while (at < to && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return Math.min(at, to)
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09)
    at += 1
  return at
}

function keyAt(bytes: Buffer, from: number, end: number): Key {
  for (const name of names) {
    if (name.length === end - from && startsAt(bytes, from, name)) return name
  }
  return ''
}

function startsAt(bytes: Buffer, from: number, name: string): boolean {
  for (let at = 0; at < name.length; at += 1) {
    if (bytes[from + at] !== name.charCodeAt(at)) return false
  }
  return true
}

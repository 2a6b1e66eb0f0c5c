/**
 * Estimates tokens from the classes of characters, without a tokenizer: a small automaton that knows how words, digits,
 * punctuation and scripts are usually cut. Within 10 % of a modern tokenizer on prose, answers and code of some KB, and
 * linear in time on any input (kernel/README.md section 8). Strings and the bytes of JSON strings give the same count.
 */
import { isObject, type Json } from '../../contract/json.js'
import { byAscii, byClass, classCount, classOf, startState } from './token-automaton.js'
import './fast-strings.js'

/** Tokens of one text, a whole number. Where pieces of one text are summed, take a `TokenCounter`. */
export function estimateTokens(text: string): number {
  const counter = new TokenCounter()
  counter.add(text)
  return counter.estimatedTokens
}

/** A running count over the pieces of a text: words stay whole across pieces and rounding happens once. */
export class TokenCounter {
  private hundredths = 0
  private state = startState
  /** Progress within `\uXXXX` or another escape: 0 none, 1 behind the backslash, 2 to 5 within the digits. */
  private escape = 0
  /** Bytes still missing of a character of several bytes, or digits of an escape, and what is known of it. */
  private missing = 0
  private code = 0

  /** Whole tokens so far; at least 1 once there was text. */
  get estimatedTokens(): number {
    return this.hundredths === 0 ? 0 : Math.max(1, Math.round(this.hundredths / 100))
  }

  add(text: string): void {
    let { state, hundredths } = this
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      const cell =
        code < 0x80 ? byAscii[(state << 7) | code]! : byClass[state * classCount + classOf[code]!]!
      hundredths += cell >>> 8
      state = cell & 0xff
    }
    this.state = state
    this.hundredths = hundredths
  }

  /** Counts the inside of a JSON string as it stands in UTF-8, escapes included. A string may come in pieces. */
  addJson(bytes: Buffer, from: number, to: number): void {
    let { state, hundredths } = this
    let plain = this.escape === 0
    for (let at = from; at < to; at += 1) {
      const byte = bytes[at]!
      let cell: number
      if (plain && byte < 0x80 && byte !== backslash) {
        cell = byAscii[(state << 7) | byte]!
      } else {
        const code = this.unfinished(byte)
        plain = this.escape === 0
        if (code === -1) continue
        cell = byClass[state * classCount + classOf[code]!]!
      }
      hundredths += cell >>> 8
      state = cell & 0xff
    }
    this.state = state
    this.hundredths = hundredths
  }

  /** Takes one byte of an escape or of a character of several bytes; -1 while it is not complete. */
  private unfinished(byte: number): number {
    if (this.escape > 0) return this.escaped(byte)
    if (byte === backslash) {
      this.escape = 1
      return -1
    }
    if (byte >= 0xc0) {
      this.missing = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1
      this.code = byte & (byte >= 0xf0 ? 0x07 : byte >= 0xe0 ? 0x0f : 0x1f)
      return -1
    }
    this.code = (this.code << 6) | (byte & 0x3f)
    this.missing -= 1
    if (this.missing !== 0) return -1
    return this.code > 0xffff ? anyHighSurrogate : this.code
  }

  private escaped(byte: number): number {
    if (this.escape === 1) {
      this.escape = byte === 0x75 ? 2 : 0
      this.code = 0
      return this.escape === 2 ? -1 : (shortEscapes[byte] ?? byte)
    }
    this.code = (this.code << 4) | (byte & 0x40 ? (byte & 0x0f) + 9 : byte & 0x0f)
    this.escape = this.escape === 5 ? 0 : this.escape + 1
    return this.escape === 0 ? this.code : -1
  }
}

const backslash = 0x5c
const anyHighSurrogate = 0xd800

/** Letters behind a backslash that stand for white space; every other one stands for a sign. */
const shortEscapes: Readonly<Record<number, number>> = { 110: 0x0a, 114: 0x0d, 116: 0x09 }

/** Keys and values without the punctuation between: models are shown a terser language than JSON. */
export function countJson(value: Json | undefined, text: TokenCounter): void {
  if (typeof value === 'string') {
    text.add(value)
    text.add('\n')
  } else if (typeof value === 'number' || typeof value === 'boolean') {
    text.add(`${value} `)
  } else if (Array.isArray(value)) {
    for (const item of value) countJson(item, text)
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      text.add(`${key}:`)
      countJson(item, text)
    }
  }
}

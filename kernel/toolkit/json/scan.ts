/**
 * Counts what a JSON text holds before anything is built of it: depth, values, objects, members. One pass over the
 * bytes; the inside of long strings is searched, not walked. Sound for valid JSON only: what is not valid is found by
 * the parser, at no more cost than what was counted (decision 0050).
 */
import { Refusal } from '../errors/refusal.js'
import { limits } from '../limits/limits.js'

/** How much one JSON text may hold. */
export interface JsonBounds {
  readonly values: number
  /** Objects and arrays. */
  readonly containers: number
  /** Members of all objects together. */
  readonly members: number
  /** Members of one object. */
  readonly objectMembers: number
  readonly depth: number
}

/** A request body. */
export const requestBounds: JsonBounds = {
  values: limits.jsonValuesMax,
  containers: limits.jsonContainersMax,
  members: limits.jsonMembersMax,
  objectMembers: limits.jsonObjectMembersMax,
  depth: limits.jsonDepthMax,
}

/** A whole reply of an upstream. */
export const replyBounds: JsonBounds = {
  values: limits.replyJsonValuesMax,
  containers: limits.replyJsonContainersMax,
  members: limits.replyJsonMembersMax,
  objectMembers: limits.jsonObjectMembersMax,
  depth: limits.jsonDepthMax,
}

/** What is parsed in one go: one event or message of an upstream, and answers that are small by nature. */
const eventBounds: JsonBounds = {
  values: limits.eventJsonValuesMax,
  containers: limits.eventJsonContainersMax,
  members: limits.eventJsonMembersMax,
  objectMembers: limits.jsonObjectMembersMax,
  depth: limits.jsonDepthMax,
}

/** Whether a text holds more than may be parsed in one go. So few bytes as most have cannot. */
export function holdsTooMuch(json: Buffer | string, from = 0, end = json.length): boolean {
  if (end - from <= harmlessBytes) return false
  if (typeof json === 'string') return holdsTooMuch(Buffer.from(json.slice(from, end)))
  return isOver(eventBounds, json, from, end)
}

function isOver(bounds: JsonBounds, bytes: Buffer, from: number, end: number): boolean {
  if (end - from <= harmlessBytes) return false
  try {
    new JsonCounts(bounds).scan(bytes, from, end)
    return false
  } catch (error) {
    if (error instanceof Refusal) return true
    throw error
  }
}

const harmlessBytes = 64 * 1024

export const QUOTE = 0x22
export const BACKSLASH = 0x5c
export const COMMA = 0x2c
export const COLON = 0x3a
export const OPEN = 0x7b
export const CLOSE = 0x7d
export const OPEN_LIST = 0x5b
export const CLOSE_LIST = 0x5d

/** Where what is built of a JSON text is held. */
export interface JsonWeight {
  /** Holds so many bytes more; throws where there is no room for them. */
  add(bytes: number): void
}

/** What was counted so far of one JSON text, held against its bounds. Throws `too_deep` or `json_too_large`. */
export class JsonCounts {
  values = 0
  containers = 0
  members = 0

  /** `weight`: what is built of the text is held in a room as well. */
  constructor(
    readonly bounds: JsonBounds,
    private readonly weight?: JsonWeight,
  ) {}

  /** `depth` containers stand open around what is scanned. Answers how many keys there are. */
  scan(bytes: Buffer, from: number, end: number, depth = 0): number {
    const tally = new Tally(this, depth)
    tally.scan(bytes, from, end)
    return tally.take()
  }

  tooDeep(): never {
    throw new Refusal('too_deep', { limit: this.bounds.depth })
  }

  add(tally: Weighed): void {
    const { bounds } = this
    this.values += tally.values
    this.containers += tally.containers
    this.members += tally.members
    if (this.containers > bounds.containers) throw over('objects and arrays', bounds.containers)
    if (this.members > bounds.members) throw over('members of objects', bounds.members)
    if (this.values > bounds.values) throw over('values', bounds.values)
    this.weight?.add(builtBytes(tally))
  }
}

/**
 * What the engine holds of them, bytes: 8 to 16 for a number and for the place of a text, 64 for an empty object, 24 to 100
 * for a small one (measured, decision 0060). The letters of texts are not counted: their bytes are.
 */
export function builtBytes({ values, containers, members }: Weighed): number {
  return values * 16 + containers * 48 + members * 24
}

export type Weighed = Pick<JsonCounts, 'values' | 'containers' | 'members'>

/** How often a scan is held against the bounds; what it counts in between is nothing yet. */
const lookBytes = 64 * 1024

class Tally {
  values = 0
  containers = 0
  members = 0
  private keys = 0
  private readonly inObject: number[] = []

  constructor(
    private readonly counts: JsonCounts,
    private readonly outer: number,
  ) {}

  scan(bytes: Buffer, from: number, end: number): void {
    let at = from
    while (at < end) {
      at = this.stretch(bytes, at, Math.min(end, at + lookBytes))
      this.give()
    }
  }

  take(): number {
    this.values += 1
    this.give()
    return this.keys
  }

  private give(): void {
    this.keys += this.members
    this.counts.add(this)
    this.values = 0
    this.containers = 0
    this.members = 0
  }

  /** Answers where it stopped: behind a string that reaches beyond the stretch. */
  private stretch(bytes: Buffer, from: number, end: number): number {
    const { inObject } = this
    const { bounds } = this.counts
    const deepest = bounds.depth - this.outer
    let at = from
    let { values, containers, members } = this
    while (at < end) {
      const byte = bytes[at]!
      at += 1
      if (byte === QUOTE) {
        at = skipString(bytes, at)
      } else if (byte === COMMA) {
        values += 1
      } else if (byte === COLON) {
        members += 1
        const inside = inObject.length - 1
        if (inside >= 0 && ++inObject[inside]! > bounds.objectMembers) {
          throw over('members in one object', bounds.objectMembers)
        }
      } else if (byte === OPEN || byte === OPEN_LIST) {
        containers += 1
        values += 1
        inObject.push(0)
        if (inObject.length > deepest) this.counts.tooDeep()
      } else if (byte === CLOSE || byte === CLOSE_LIST) {
        inObject.pop()
      } else if (isDigit(byte)) {
        at = skipNumber(bytes, at)
      }
    }
    Object.assign(this, { values, containers, members })
    return at
  }
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}

function skipNumber(bytes: Buffer, from: number): number {
  const last = from + limits.jsonNumberCharsMax
  let at = from
  for (let byte = bytes[at]; isNumberPart(byte); byte = bytes[at]) {
    at += 1
    if (at > last) throw over('a number of too many characters', limits.jsonNumberCharsMax)
  }
  return at
}

/** Digits, the point, signs and the two letters of an exponent. */
export function isNumberPart(byte: number | undefined): boolean {
  if (byte === undefined) return false
  return isDigit(byte) || byte === 0x2e || byte === 0x2b || byte === 0x2d || (byte | 0x20) === 0x65
}

export function over(what: string, limit: number): Refusal {
  const counted = what.startsWith('a ') ? what : `too many ${what}`
  return new Refusal('json_too_large', { what: counted, limit })
}

/** Short strings are walked, long ones searched: a search costs as much as some dozen steps. */
const walkMax = 48

/**
 * The place behind the closing quote of a string whose inside begins at `from`; the end where none closes it. From `end`
 * on it may be left off anywhere. Between two searches some steps are walked, so that a string full of escaped quotes is
 * no string full of searches.
 */
export function skipString(bytes: Buffer, from: number, end = bytes.length): number {
  // What is searched ends there too: the next quote may stand megabytes away.
  const within = end < bytes.length ? bytes.subarray(0, end) : bytes
  let at = from
  while (at < end) {
    const walked = at + walkMax
    while (at < walked) {
      const byte = within[at]
      if (byte === QUOTE) return at + 1
      if (byte === undefined) return Math.max(at, within.length)
      at += byte === BACKSLASH ? 2 : 1
    }
    const quote = within.indexOf(QUOTE, at)
    if (quote === -1) return Math.max(at, within.length)
    if (!isEscaped(within, at, quote)) return quote + 1
    at = quote + 1
  }
  return at
}

/** `from` is no escaped character itself. Each run of backslashes is walked once: the quote behind it ends it. */
function isEscaped(bytes: Buffer, from: number, at: number): boolean {
  let first = at
  while (first > from && bytes[first - 1] === BACKSLASH) first -= 1
  return (at - first) % 2 === 1
}

export function skipSpace(bytes: Buffer, from: number, end = bytes.length): number {
  let at = from
  while (at < end && isSpace(bytes[at])) at += 1
  return at
}

export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/**
 * Reads a large JSON text in pieces small enough that nothing else waits for long: runs of members or elements, and
 * stretches of long strings, go through the engine's parser one by one, each counted before it is built. What comes out
 * is what the parser would make of the whole (decision 0050).
 */
import type { Json, JsonObject } from '../../contract/json.js'
import { limits } from '../limits/limits.js'
import {
  BACKSLASH,
  CLOSE,
  CLOSE_LIST,
  COLON,
  COMMA,
  isSpace,
  type JsonCounts,
  OPEN,
  OPEN_LIST,
  over,
  QUOTE,
  skipSpace,
  skipString,
} from './scan.js'

/** What a reader makes of keys; both throw a `Refusal`, or take it. */
export interface KeyRules {
  /** One piece was parsed, and so many keys stand in its text. */
  parsed(value: Json, keysWritten: number, text: string): void
  /** An object that is read in pieces is given a key it has already. */
  twice(key: string): void
  /** The text is no JSON. */
  broken(): Error
}

export interface PieceOptions {
  readonly counts: JsonCounts
  readonly rules: KeyRules
  /** Bytes given to the parser at once: of members or elements, and of one long string. At least 16. */
  readonly pieceBytes?: number
  readonly stretchBytes?: number
}

/** Yields wherever others may have their turn. Throws what the counts and the rules throw. */
export type Reading<Result = Json> = Generator<undefined, Result, undefined>

const pieceBytesUsual = 64 * 1024
/** A long string costs far less by the byte. */
const stretchBytesUsual = 512 * 1024

export function readPieces(bytes: Buffer, options: PieceOptions): Reading {
  return new PieceReader(bytes, options).whole()
}

class PieceReader {
  private at = 0
  private depth = 0
  private keysWritten = 0
  private readonly pieceBytes: number
  private readonly stretchBytes: number

  constructor(
    private readonly bytes: Buffer,
    private readonly options: PieceOptions,
  ) {
    this.pieceBytes = options.pieceBytes ?? pieceBytesUsual
    this.stretchBytes = options.stretchBytes ?? stretchBytesUsual
  }

  *whole(): Reading {
    yield* this.space()
    const value = yield* this.value()
    yield* this.space()
    if (this.at < this.bytes.length) throw this.broken()
    return value
  }

  private *value(): Reading {
    const first = this.bytes[this.at]
    if (first === QUOTE) {
      this.options.counts.add({ values: 1, containers: 0, members: 0 })
      return yield* this.string()
    }
    if (first === OPEN) return yield* this.object()
    if (first === OPEN_LIST) return yield* this.list()
    return this.scalar()
  }

  private *object(): Reading<JsonObject> {
    const object: Record<string, Json> = {}
    let members = 0
    const most = this.options.counts.bounds.objectMembers
    const put = (key: string, value: Json) => {
      if (Object.hasOwn(object, key)) this.options.rules.twice(key)
      else if (++members > most) throw over('members in one object', most)
      // An assignment would change what the object inherits.
      if (key === '__proto__') Object.defineProperty(object, key, { ...own, value })
      else object[key] = value
    }
    yield* this.container(CLOSE, {
      run: (text) => {
        const part = this.parse<Readonly<Record<string, Json>>>(`{${text}}`)
        let any = false
        for (const key in part) {
          any = true
          put(key, part[key]!)
        }
        return any
      },
      single: function* (this: PieceReader) {
        const key = this.key()
        yield* this.space()
        if (this.bytes[this.at] !== COLON) throw this.broken()
        this.at += 1
        this.options.counts.add({ values: 0, containers: 0, members: 1 })
        yield* this.space()
        const value = yield* this.value()
        this.options.rules.parsed({ [key]: null }, 1, '')
        put(key, value)
      }.bind(this),
    })
    return object
  }

  private *list(): Reading<readonly Json[]> {
    const list: Json[] = []
    yield* this.container(CLOSE_LIST, {
      run: (text) => {
        const part = this.parse<readonly Json[]>(`[${text}]`)
        for (const item of part) list.push(item)
        return part.length > 0
      },
      single: function* (this: PieceReader) {
        list.push(yield* this.value())
      }.bind(this),
    })
    return list
  }

  /** From its opening bracket to behind its closing one. */
  private *container(
    close: number,
    inside: { run(text: string): boolean; single(): Reading<void> },
  ): Reading<void> {
    const { bytes, options: terms } = this
    terms.counts.add({ values: 1, containers: 1, members: 0 })
    this.depth += 1
    if (this.depth > terms.counts.bounds.depth) terms.counts.tooDeep()
    this.at += 1
    for (let first = true; ; first = false) {
      const cut = cutOf(bytes, this.at, this.pieceBytes)
      if (cut === undefined) {
        yield* this.space()
        if (!first || bytes[this.at] !== close) yield* inside.single()
        yield* this.space()
      } else {
        const any = inside.run(this.run(cut))
        if (!any && !(first && bytes[cut] === close)) throw this.broken()
        this.at = cut
      }
      yield
      const end = bytes[this.at]
      this.at += 1
      if (end === close) break
      if (end !== COMMA) throw this.broken()
    }
    this.depth -= 1
  }

  /** The text up to there, counted. */
  private run(cut: number): string {
    const { bytes, at, depth } = this
    this.keysWritten = this.options.counts.scan(bytes, at, cut, depth)
    return bytes.toString('utf8', at, cut)
  }

  private parse<Value extends Json>(text: string): Value {
    let value: Value
    try {
      value = JSON.parse(text)
    } catch {
      throw this.broken()
    }
    this.options.rules.parsed(value, this.keysWritten, text)
    return value
  }

  private key(): string {
    const { bytes, at } = this
    if (bytes[at] !== QUOTE) throw this.broken()
    const most = limits.jsonKeyCharsMax
    const last = at + 2 + most * escapeBytes
    const end = skipString(bytes, at + 1, last)
    if (!isClosed(bytes, at + 1, end)) {
      throw end < last ? this.broken() : over('a key of too many characters', most)
    }
    this.at = end
    return this.text(bytes.toString('utf8', at, end))
  }

  private *string(): Reading<string> {
    const { bytes } = this
    let whole = ''
    let from = this.at + 1
    for (;;) {
      const until = Math.min(from + this.stretchBytes, bytes.length)
      const end = skipString(bytes, from, until)
      if (end <= until && isClosed(bytes, from, end)) {
        this.at = end
        // Adding keeps what is there where it is; joining would copy all of it in one go.
        return whole + this.text(`"${bytes.toString('utf8', from, end)}`)
      }
      if (until === bytes.length) throw this.broken()
      const cut = safeCut(bytes, from, until)
      whole += this.text(`"${bytes.toString('utf8', from, cut)}"`)
      from = cut
      yield
    }
  }

  private text(json: string): string {
    try {
      return JSON.parse(json)
    } catch {
      throw this.broken()
    }
  }

  private scalar(): Json {
    const { bytes, at } = this
    const last = at + limits.jsonNumberCharsMax
    let end = at
    while (end < bytes.length && !endsScalar(bytes[end])) {
      end += 1
      if (end > last) throw over('a number of too many characters', limits.jsonNumberCharsMax)
    }
    this.at = end
    this.keysWritten = 0
    this.options.counts.add({ values: 1, containers: 0, members: 0 })
    return this.parse(bytes.toString('utf8', at, end))
  }

  private *space(): Reading<void> {
    const { bytes } = this
    while (isSpace(bytes[this.at])) {
      this.at = skipSpace(bytes, this.at, this.at + this.stretchBytes)
      if (isSpace(bytes[this.at])) yield
    }
  }

  private broken(): Error {
    return this.options.rules.broken()
  }
}

const own = { configurable: true, enumerable: true, writable: true } as const

/**
 * Where a run of whole members or elements that begins at `from` ends: at the bracket that closes around them, or at the
 * last comma between two of them. Undefined: the first is too large to be read in one piece.
 */
function cutOf(bytes: Buffer, from: number, pieceBytes: number): number | undefined {
  const end = Math.min(from + pieceBytes, bytes.length)
  let comma: number | undefined
  let depth = 0
  for (let at = from; at < end; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) at = skipString(bytes, at + 1, end) - 1
    else if (byte === OPEN || byte === OPEN_LIST) depth += 1
    else if (byte === CLOSE || byte === CLOSE_LIST) {
      if (depth === 0) return at
      depth -= 1
    } else if (byte === COMMA && depth === 0) comma = at
  }
  return comma
}

/** Whether a string whose inside begins at `from` ends with the quote before `end`. */
function isClosed(bytes: Buffer, from: number, end: number): boolean {
  if (end <= from || bytes[end - 1] !== QUOTE) return false
  return !isOdd(backslashes(bytes, from, end - 1))
}

/** How many stand in a row before `at`. */
function backslashes(bytes: Buffer, from: number, at: number): number {
  let first = at
  while (first > from && bytes[first - 1] === BACKSLASH) first -= 1
  return at - first
}

function isOdd(count: number): boolean {
  return count % 2 === 1
}

/** The longest escape: a backslash, `u` and four digits. */
const escapeBytes = 6
/** The longest character in UTF-8. */
const characterBytes = 4

/** The last place up to `until` where neither an escape nor a character would be cut in two. */
function safeCut(bytes: Buffer, from: number, until: number): number {
  let cut = until
  while (cut > until - characterBytes && isContinued(bytes[cut])) cut -= 1
  for (let at = cut - 1; at > cut - escapeBytes; at -= 1) {
    if (bytes[at] !== BACKSLASH) continue
    if (isOdd(backslashes(bytes, from, at))) return cut
    const length = bytes[at + 1] === 0x75 ? escapeBytes : 2
    return at + length > cut ? at : cut
  }
  return cut
}

function isContinued(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

function endsScalar(byte: number | undefined): boolean {
  return byte === COMMA || byte === CLOSE || byte === CLOSE_LIST || isSpace(byte)
}

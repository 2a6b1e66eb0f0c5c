/**
 * Takes `multipart/form-data` apart (RFC 7578, RFC 2046) without copying: the bytes of a part are a stretch of the body.
 * What is not well-formed is refused, never guessed at, so that the gateway and an upstream cannot read two things.
 */
import { isUtf8 } from 'node:buffer'
import { Refusal } from '../errors/refusal.js'
import { limits } from '../limits/limits.js'

export interface Part {
  readonly name: string
  /** Present: the part is a file. */
  readonly filename?: string
  /** As declared. */
  readonly type?: string
  readonly bytes: Buffer
}

/** Fields and files of one form. */
export const partsMax = 1000
const headBytesMax = 8 * 1024

export const multipartType = /^multipart\/form-data\s*(?:;|$)/i

export function unreadable(reason: string): Refusal {
  return new Refusal('read_request_body_failed', { reason })
}

/** The boundary a content type names. Throws a `Refusal` where there is none. */
export function boundaryOf(type: string): string {
  const [, bare, inQuotes] = boundaryPattern.exec(type) ?? []
  const boundary = inQuotes ?? bare ?? ''
  if (!boundaryText.test(boundary)) throw unreadable('its content type names no usable boundary')
  return boundary
}

const boundaryPattern = /;\s*boundary=(?:([^\s;"]+)|"([^"]*)")/i
const boundaryText = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/

/** The parts between the boundaries, in order. Throws a `Refusal` where they are not well-formed. */
export function partsOf(payload: Buffer, boundary: string): readonly Part[] {
  if (boundary.length < searchedCharactersMin && payload.length > limits.formTextBytesMax) {
    throw unreadable('its boundary is too short for so large a body')
  }
  return new Reader(payload, Buffer.from(`\r\n--${boundary}`)).parts()
}

/** A shorter boundary is searched for step by step, and a body of line ends stops the search at each. */
const searchedCharactersMin = 4

const lineEnd = '\r\n'
const headEnd = '\r\n\r\n'
const CR = 0x0d
const LF = 0x0a
const DASH = 0x2d

class Reader {
  /** Texts that only begin like the boundary: each costs a search, and who writes honestly has none. */
  private misses = 0

  constructor(
    private readonly payload: Buffer,
    /** With the line end that belongs to it. */
    private readonly delimiter: Buffer,
  ) {}

  parts(): readonly Part[] {
    const { payload, delimiter } = this
    const parts: Part[] = []
    let at = this.behindFirst()
    while (!this.closes(at)) {
      if (parts.length === partsMax) throw unreadable(`the form has more than ${partsMax} parts`)
      const head = this.behindLine(at)
      const end = payload.indexOf(headEnd, head)
      if (end === -1 || end - head > headBytesMax) throw unreadable('a part has no proper head')
      const next = this.nextDelimiter(end + lineEnd.length)
      if (next === -1) throw unreadable('it ends before its last boundary')
      const from = end + headEnd.length
      parts.push(partOf(payload.subarray(head, end), payload.subarray(from, Math.max(next, from))))
      at = next + delimiter.length
    }
    return parts
  }

  /** The first boundary needs no line end in front; what stands before it is no part. */
  private behindFirst(): number {
    const { payload, delimiter } = this
    const bare = delimiter.subarray(lineEnd.length)
    if (payload.subarray(0, bare.length).equals(bare) && this.isWhole(bare.length)) {
      return bare.length
    }
    const found = this.nextDelimiter(0)
    if (found === -1) throw unreadable('the boundary its content type names is not there')
    return found + delimiter.length
  }

  private nextDelimiter(from: number): number {
    const { payload, delimiter } = this
    let found = payload.indexOf(delimiter, from)
    while (found !== -1 && !this.isWhole(found + delimiter.length)) {
      this.misses += 1
      if (this.misses > partsMax) throw unreadable('its boundary stands in what it parts')
      found = payload.indexOf(delimiter, found + 1)
    }
    return found
  }

  /** A boundary ends with its line, or with two dashes; a longer text that only begins like it is content. */
  private isWhole(at: number): boolean {
    return this.closes(at) || this.behindLine(at) !== -1
  }

  private closes(at: number): boolean {
    return this.payload[at] === DASH && this.payload[at + 1] === DASH
  }

  private behindLine(from: number): number {
    const { payload } = this
    let at = from
    while (payload[at] === 0x20 || payload[at] === 0x09) at += 1
    return payload[at] === CR && payload[at + 1] === LF ? at + lineEnd.length : -1
  }
}

function partOf(head: Buffer, bytes: Buffer): Part {
  const headers = headersOf(head)
  const parameters = parametersOf(headers.get('content-disposition') ?? '')
  const name = namedPart(parameters.get('name'))
  const coding = headers.get('content-transfer-encoding') ?? 'binary'
  if (!plainCodings.test(coding)) throw unreadable('a part is coded, which forms do not know')
  const type = headers.get('content-type')
  const filename = extendedName(parameters) ?? parameters.get('filename')
  return { name, filename: filename ?? assumedName(type), type, bytes }
}

/** The name as it is. Throws a `Refusal` for one that no form can be written with again. */
export function namedPart(name: string | undefined): string {
  if (name === undefined || name === '') throw unreadable('a part has no name')
  if (control.test(name)) throw unreadable('the name of a part holds a control character')
  if (codes.test(name)) throw unreadable('the name of a part holds a percent code')
  return name
}

const control = /\p{Cc}/u
/** Whoever reads the form anew would take them for what they stand for in quotes. */
const codes = /%(?:22|0D|0A)/i
const plainCodings = /^(?:7bit|8bit|binary)$/i

/** Some clients send a file without its name; only text may stand without one. */
function assumedName(type: string | undefined): string | undefined {
  return type === undefined || textTypes.test(type) ? undefined : 'file'
}

const textTypes =
  /^(?:text\/|application\/(?:[\w.-]+\+)?json\b|application\/x-www-form-urlencoded)/i

function headersOf(head: Buffer): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  const text = head.toString(isUtf8(head) ? 'utf8' : 'latin1')
  for (const line of text.split(lineEnd)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase()
    if (name === '' || headers.has(name)) throw unreadable('a part has no proper head')
    headers.set(name, line.slice(colon + 1).trim())
  }
  return headers
}

/** Parameters of a `form-data` disposition. One that stands twice or is not closed is refused. */
function parametersOf(disposition: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  const kind = /^form-data\s*/i.exec(disposition)?.[0]
  if (kind === undefined) throw unreadable('a part is not declared as form-data')
  let rest = disposition.slice(kind.length)
  while (rest !== '') {
    const found = parameter.exec(rest)
    const name = found?.[1]?.toLowerCase()
    if (found === null || name === undefined || parameters.has(name)) {
      throw unreadable('a part has no proper head')
    }
    parameters.set(name, found[2] === undefined ? (found[3] ?? '') : unquoted(found[2]))
    rest = rest.slice(found[0].length)
  }
  return parameters
}

const parameter = /^;\s*([\w*-]+)=(?:"((?:\\.|[^"\\])*)"|([^\s;"]*))\s*/

/** Clients escape a quote by a backslash or, as browsers do, by its percent code. */
function unquoted(text: string): string {
  return text.replace(/\\(["\\])/g, '$1').replace(/%(?:22|0D|0A)/gi, decodeURIComponent)
}

/** `filename*=UTF-8''…`, which forms should not use and some clients do. */
function extendedName(parameters: ReadonlyMap<string, string>): string | undefined {
  const coded = /^utf-8'[\w-]*'(.*)$/i.exec(parameters.get('filename*') ?? '')?.[1]
  if (coded === undefined) return undefined
  try {
    return decodeURIComponent(coded)
  } catch {
    throw unreadable('a part has no proper head')
  }
}

/**
 * The free text of a custom tool, which travels through other formats as the one string of a JSON object. While the
 * object is still being written its string is read as far as it goes, so that a client sees the text grow.
 */
import { parsedObject } from '../../../kernel/toolkit/json/index.js'
import { textOf } from './fields.js'

/** The field of the object that holds the text. */
export const freeTextField = 'input'

export function writeFreeText(text: string): string {
  return JSON.stringify({ [freeTextField]: text })
}

/** A model that wrote no such object wrote the text itself. */
export function readFreeText(json: string): string {
  return textOf(parsedObject(json)?.[freeTextField]) ?? json
}

const opening = new RegExp(`^\\s*\\{\\s*"${freeTextField}"\\s*:\\s*"`)
/** What begins otherwise for this long is no such object, and is read at its end. */
const openingCharsMax = 64

export class FreeTextReader {
  private json = ''
  /** What of the string is not read yet; undefined before it begins. Short, however long the text has become. */
  private unread: string | undefined
  private closed = false
  private read = ''

  /** What is certain of the text since the last call. */
  push(piece: string): string {
    this.json += piece
    if (this.closed) return ''
    if (this.unread !== undefined) this.unread += piece
    else if (this.json.length - piece.length <= openingCharsMax) {
      const begun = opening.exec(this.json)?.[0]
      this.unread = begun === undefined ? undefined : this.json.slice(begun.length)
    }
    return this.unread === undefined ? '' : this.readOn(this.unread)
  }

  /** The rest of the text, once the input is complete or broke off. */
  finish(): string {
    const begun = this.unread !== undefined && parsedObject(this.json) === undefined
    const whole = begun ? this.read : readFreeText(this.json)
    const rest = whole.startsWith(this.read) ? whole.slice(this.read.length) : ''
    this.read += rest
    return rest
  }

  get text(): string {
    return this.read
  }

  private readOn(unread: string): string {
    const { end, closed } = certainEnd(unread)
    const text = unescaped(unread.slice(0, end))
    this.unread = unread.slice(end)
    this.closed = closed
    this.read += text
    return text
  }
}

/** Before the closing quote, an escape that is not complete, or half a character. */
function certainEnd(json: string): { readonly end: number; readonly closed: boolean } {
  let at = 0
  for (let end = endOfUnit(json, at); end <= json.length; end = endOfUnit(json, at)) {
    if (json[at] === '"') return { end: at, closed: true }
    // The first half of a pair waits for the second.
    const second = isFirstHalf(json, at) ? endOfUnit(json, end) : end
    if (second > json.length) break
    at = second
  }
  return { end: at, closed: false }
}

function endOfUnit(json: string, at: number): number {
  if (json[at] !== '\\') return at + 1
  return at + (json[at + 1] === 'u' ? 6 : 2)
}

function isFirstHalf(json: string, at: number): boolean {
  const escaped = json[at] === '\\' && json[at + 1] === 'u'
  const code = escaped ? Number.parseInt(json.slice(at + 2, at + 6), 16) : json.charCodeAt(at)
  return code >= 0xd800 && code <= 0xdbff
}

function unescaped(raw: string): string {
  if (!raw.includes('\\')) return raw
  // One by one: models leave line breaks as they are, and escape what JSON does not know.
  return raw.replace(/\\(u[0-9a-fA-F]{4}|[^u])/gs, (written) => {
    try {
      return String(JSON.parse(`"${written}"`))
    } catch {
      return written
    }
  })
}

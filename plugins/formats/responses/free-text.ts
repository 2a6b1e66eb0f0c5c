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
  /** Where the next unread character stands; undefined before the string begins. */
  private at: number | undefined
  private closed = false
  private read = ''

  /** What is certain of the text since the last call. */
  push(piece: string): string {
    this.json += piece
    if (this.at === undefined && this.json.length - piece.length <= openingCharsMax) {
      this.at = opening.exec(this.json)?.[0].length
    }
    return this.at === undefined || this.closed ? '' : this.readOn(this.at)
  }

  /** The rest of the text, once the input is complete or broke off. */
  finish(): string {
    const begun = this.at !== undefined && parsedObject(this.json) === undefined
    const whole = begun ? this.read : readFreeText(this.json)
    const rest = whole.startsWith(this.read) ? whole.slice(this.read.length) : ''
    this.read += rest
    return rest
  }

  get text(): string {
    return this.read
  }

  private readOn(from: number): string {
    const end = this.certainEnd(from)
    this.at = end
    const text = unescaped(this.json.slice(from, end))
    this.read += text
    return text
  }

  /** Before the closing quote, an escape that is not complete, or half a character. */
  private certainEnd(from: number): number {
    const { json } = this
    let at = from
    for (let end = endOfUnit(json, at); end <= json.length; end = endOfUnit(json, at)) {
      if (json[at] === '"') {
        this.closed = true
        return at
      }
      // The first half of a pair waits for the second.
      const second = isFirstHalf(json, at) ? endOfUnit(json, end) : end
      if (second > json.length) return at
      at = second
    }
    return at
  }
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

/**
 * Forms, read and written: fields and files in the order they came, repeated names as arrays, file names as they are.
 * Files are stretches of the body they came in; writing a form copies each byte once.
 */
import { isUtf8 } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import type { Body, FormFile } from '../../contract/body.js'
import type { Json } from '../../contract/json.js'
import { Refusal } from '../errors/refusal.js'
import { limits } from '../limits/limits.js'
import {
  boundaryOf,
  multipartType,
  namedPart,
  type Part,
  partsMax,
  partsOf,
  unreadable,
} from './multipart.js'

export type FormBody = Extract<Body, { readonly kind: 'form' }>

/** Whether a declared content type is one that `readForm` reads. */
export function isFormType(type: string): boolean {
  return multipartType.test(type) || urlencodedType.test(type)
}

const urlencodedType = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

/**
 * The form in a body of a declared type. A field that comes several times is an array, in order. Throws a `Refusal`
 * where the bytes are not such a form, hold nothing, or hold more than a form may.
 */
export function readForm(payload: Buffer, type: string): FormBody {
  const parts = urlencodedType.test(type) ? pairsOf(payload) : partsOf(payload, boundaryOf(type))
  if (parts.length === 0) throw unreadable('the form is empty')
  const fields = new Map<string, Json>()
  const files: FormFile[] = []
  let textBytes = 0
  for (const part of parts) {
    textBytes += part.filename === undefined ? part.bytes.length : 0
    if (textBytes > limits.formTextBytesMax) throw tooMuchText(limits.formTextBytesMax)
    if (part.name === '__proto__') throw new Refusal('forbidden_key', { key: part.name })
    if (part.filename === undefined) add(fields, part)
    else files.push(fileOf(part, part.filename))
  }
  return { kind: 'form', fields: Object.fromEntries(fields), files }
}

/** A form as multipart bytes, with the content type that names their boundary. Fields come before files. */
export function formBytes({ fields, files }: FormBody): { bytes: Buffer; type: string } {
  const boundary = `----waybill${randomBytes(16).toString('hex')}`
  const pieces: (Buffer | string)[] = []
  for (const name in fields) {
    const value = fields[name]
    for (const one of Array.isArray(value) ? (value as readonly Json[]) : [value]) {
      if (one === undefined || one === null) continue
      pieces.push(`--${boundary}\r\n${disposition(name)}\r\n\r\n${textOf(one)}\r\n`)
    }
  }
  for (const { field, filename, mime, bytes } of files) {
    const named = `${disposition(field)}; filename="${quoted(filename)}"`
    pieces.push(
      `--${boundary}\r\n${named}\r\nContent-Type: ${safeType(mime)}\r\n\r\n`,
      bytes,
      '\r\n',
    )
  }
  pieces.push(`--${boundary}--\r\n`)
  const buffers = pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece))
  return { bytes: Buffer.concat(buffers), type: `multipart/form-data; boundary=${boundary}` }
}

function pairsOf(payload: Buffer): readonly Part[] {
  if (payload.length > limits.urlencodedBytesMax) throw tooMuchText(limits.urlencodedBytesMax)
  if (!isUtf8(payload)) throw unreadable('it is not UTF-8')
  let pairs = 1
  for (let at = payload.indexOf('&'); at !== -1; at = payload.indexOf('&', at + 1)) {
    pairs += 1
    if (pairs > partsMax) throw unreadable(`the form has more than ${partsMax} parts`)
  }
  const read = new URLSearchParams(payload.toString('utf8'))
  return [...read].map(([name, value]) => ({ name: namedPart(name), bytes: Buffer.from(value) }))
}

function tooMuchText(bytesMax: number): Refusal {
  return unreadable(`the fields of the form hold more than ${bytesMax} bytes of text`)
}

function add(fields: Map<string, Json>, { name, bytes }: Part): void {
  if (!isUtf8(bytes)) throw unreadable('one of its fields is not UTF-8')
  const value = bytes.toString('utf8')
  const before = fields.get(name)
  if (before === undefined) fields.set(name, value)
  else if (Array.isArray(before)) before.push(value)
  else fields.set(name, [before, value])
}

function fileOf({ name, type, bytes }: Part, filename: string): FormFile {
  return { field: name, filename, mime: safeType(type ?? ''), bytes }
}

function disposition(name: string): string {
  return `Content-Disposition: form-data; name="${quoted(name)}"`
}

/**
 * As browsers write names: what would end the quotes or the line becomes its percent code. A backslash is doubled, since
 * readers take it for the beginning of an escape (RFC 9110 section 5.6.4).
 */
function quoted(name: string): string {
  return name.replaceAll('\\', '\\\\').replace(unsafeInQuotes, percentCode)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that must not pass.
const unsafeInQuotes = /[\u0000-\u001f\u007f"]/g

function percentCode(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

/** A media type that is none would let its author write headers of his own. */
function safeType(type: string): string {
  return mediaType.test(type) ? type : 'application/octet-stream'
}

const mediaType = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(?: ?; ?[\w.+-]+=[\w.+"-]+)*$/

/** What an override put there may be any JSON; a form knows texts only. */
function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

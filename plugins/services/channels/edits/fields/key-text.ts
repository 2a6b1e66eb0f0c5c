/** Keys as an admin writes them: one of a channel, or many as lines or as a JSON array (management/README.md section 6). */
import { isObject } from '../../../../../kernel/contract/json.js'

/** Bytes of one key; a service account is the largest there is. */
const keyBytesMax = 65_536
const controls = /\p{Cc}/u

/** One key, "" for none. A JSON document may come with its line breaks and is kept in one line. */
export function oneKey(written: string): string {
  return checked(oneLine(written.trim()))
}

/** Each key once, in order, without blanks. Throws an `Error` whose message goes on after the field's name. */
export function manyKeys(written: string): readonly string[] {
  const text = written.trim()
  const parts = text.startsWith('[') ? listed(text) : whole(text)
  const keys = parts.map((part) => checked(oneLine(part.trim()))).filter((key) => key !== '')
  return [...new Set(keys)]
}

/** A JSON array: texts, or documents such as service accounts. */
function listed(text: string): readonly string[] {
  const list = parsed(text)
  if (!Array.isArray(list)) throw new Error('begins as a JSON array and is none')
  return list.map((item: unknown) => {
    if (typeof item === 'string') return item
    if (isObject(item)) return JSON.stringify(item)
    throw new Error('holds something in its array that is no key')
  })
}

/** One document over several lines, or a key a line. */
function whole(text: string): readonly string[] {
  return text.startsWith('{') && parsed(text) !== undefined ? [text] : text.split(/\r?\n/)
}

function oneLine(text: string): string {
  const document = text.startsWith('{') ? parsed(text) : undefined
  return document === undefined ? text : JSON.stringify(document)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function checked(key: string): string {
  if (Buffer.byteLength(key) > keyBytesMax) {
    throw new Error(`holds a key of more than ${keyBytesMax} bytes`)
  }
  if (controls.test(key)) throw new Error('holds a control character')
  return key
}

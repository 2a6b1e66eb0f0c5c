/**
 * Reads the JSON text of a price option: `{name: number}`, or `{group: {name: number}}`. Unlike `JSON.parse` it keeps
 * every key, also one that stands twice, and the source text of every number (X6).
 */
import { shownKey } from './model-key.js'

export interface NumberEntry {
  readonly key: string
  /** As written, e.g. `1e-7`. */
  readonly number: string
}

export interface GroupEntry {
  readonly key: string
  readonly entries: readonly NumberEntry[]
}

/** Entries of all objects of one text. */
export const entriesMax = 20_000

/** The text is not JSON, or not of this shape. The message continues a sentence that begins with the option's name. */
export class MapTextError extends Error {}

export function readNumbers(text: string): readonly NumberEntry[] {
  const reader = new MapReader(text)
  return reader.whole((key) => ({ key, number: reader.number(key) }))
}

export function readGroups(text: string): readonly GroupEntry[] {
  const reader = new MapReader(text)
  return reader.whole((key) => ({
    key,
    entries: reader.group(key, (name) => ({ key: name, number: reader.number(name) })),
  }))
}

type ReadItem<Item> = (key: string) => Item

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

const quote = 34
const backslash = 92

class MapReader {
  private at = 0
  private entries = 0

  constructor(private readonly text: string) {}

  whole<Item>(item: ReadItem<Item>): readonly Item[] {
    this.space()
    if (this.text[this.at] !== '{') throw this.misplaced('be a JSON object')
    const items = this.object(item)
    this.space()
    if (this.at < this.text.length) throw this.invalid()
    return items
  }

  group<Item>(key: string, item: ReadItem<Item>): readonly Item[] {
    this.space()
    if (this.text[this.at] !== '{') throw this.misplaced(`hold an object for ${shownKey(key)}`)
    const items = this.object(item)
    if (items.length > 0) return items
    throw new MapTextError(`must hold an object for ${shownKey(key)}, not an empty one`)
  }

  number(key: string): string {
    this.space()
    numberPattern.lastIndex = this.at
    const found = numberPattern.exec(this.text)?.[0]
    if (found === undefined) throw this.misplaced(`hold a number for ${shownKey(key)}`)
    this.at += found.length
    return found
  }

  private object<Item>(item: ReadItem<Item>): readonly Item[] {
    const items: Item[] = []
    this.at += 1
    if (this.takes('}')) return items
    for (;;) {
      this.space()
      const key = this.string()
      if (!this.takes(':')) throw this.invalid()
      this.entries += 1
      // An object of groups is one entry more than what it holds.
      if (this.entries > 2 * entriesMax) throw tooManyEntries()
      items.push(item(key))
      if (this.takes('}')) return items
      if (!this.takes(',')) throw this.invalid()
    }
  }

  private string(): string {
    const start = this.at
    if (this.text.charCodeAt(start) !== quote) throw this.invalid()
    let escaped = false
    for (let at = start + 1; at < this.text.length; at++) {
      const code = this.text.charCodeAt(at)
      if (code === quote) {
        this.at = at + 1
        return escaped ? this.unescaped(start) : this.text.slice(start + 1, at)
      }
      if (code < 32) break
      if (code !== backslash) continue
      escaped = true
      at += 1
    }
    throw this.invalid()
  }

  private unescaped(start: number): string {
    try {
      return String(JSON.parse(this.text.slice(start, this.at)))
    } catch {
      this.at = start
      throw this.invalid()
    }
  }

  private takes(character: string): boolean {
    this.space()
    if (this.text[this.at] !== character) return false
    this.at += 1
    return true
  }

  private space(): void {
    for (; this.at < this.text.length; this.at++) {
      const code = this.text.charCodeAt(this.at)
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return
    }
  }

  /** What stands here is well-formed at first sight, but not what belongs here. */
  private misplaced(expected: string): MapTextError {
    const found = this.kindHere()
    if (found === undefined) return this.invalid()
    return new MapTextError(`must ${expected}, not ${found}`)
  }

  private kindHere(): string | undefined {
    const rest = this.text.slice(this.at, this.at + 5)
    if (rest.startsWith('""')) return 'an empty string'
    if (rest.startsWith('"')) return 'a string'
    if (rest.startsWith('{')) return 'an object'
    if (rest.startsWith('[')) return 'an array'
    if (rest.startsWith('null')) return 'null'
    if (rest === 'false' || rest.startsWith('true')) return 'a boolean'
    return /^-?\d/.test(rest) ? 'a number' : undefined
  }

  private invalid(): MapTextError {
    return new MapTextError(`is not valid JSON at character ${this.at + 1}`)
  }
}

function tooManyEntries(): MapTextError {
  return new MapTextError(`holds more than ${entriesMax} entries`)
}

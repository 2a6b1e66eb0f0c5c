/**
 * Walks once over the JSON text of a price option. Unlike `JSON.parse` it keeps every key, also one that stands twice,
 * and the source text of every number (X6).
 */
import { shownKey } from './model-key.js'

/** Entries of all objects of one text. */
export const entriesMax = 20_000

/** The text is not JSON, or not of this shape. The message continues a sentence that begins with the option's name. */
export class MapTextError extends Error {}

type ReadItem<Item> = (key: string) => Item

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

const quote = 34
const backslash = 92

/** The place given to a method stands in the sentence of its error. */
export class MapReader {
  private at = 0
  private entries = 0

  /** An object of groups is one entry more than what it holds. */
  constructor(
    private readonly text: string,
    private readonly keysMax = 2 * entriesMax,
  ) {}

  whole<Item>(item: ReadItem<Item>): readonly Item[] {
    this.space()
    if (this.text[this.at] !== '{') throw this.misplaced('be a JSON object')
    const items = this.object(item)
    this.space()
    if (this.at < this.text.length) throw this.invalid()
    return items
  }

  group<Item>(key: string, item: ReadItem<Item>): readonly Item[] {
    return this.members(shownKey(key), item)
  }

  number(key: string): string {
    return this.digits(`hold a number for ${shownKey(key)}`)
  }

  /** A number as it stands there, or the same in a string. */
  amount(place: string): string {
    return this.begins('"') ? this.words(place) : this.digits(`hold a number for ${place}`)
  }

  words(place: string): string {
    if (!this.begins('"')) throw this.misplaced(`hold a string for ${place}`)
    return this.string()
  }

  list<Item>(place: string, item: (index: number) => Item): readonly Item[] {
    if (!this.begins('[')) throw this.misplaced(`hold an array for ${place}`)
    this.at += 1
    if (this.takes(']')) throw new MapTextError(`must hold an array for ${place}, not an empty one`)
    const items: Item[] = []
    do items.push(item(items.length))
    while (this.takes(','))
    if (!this.takes(']')) throw this.invalid()
    return items
  }

  members<Item>(place: string, item: ReadItem<Item>): readonly Item[] {
    if (!this.begins('{')) throw this.misplaced(`hold an object for ${place}`)
    const items = this.object(item)
    if (items.length > 0) return items
    throw new MapTextError(`must hold an object for ${place}, not an empty one`)
  }

  /** What `read` reads, and the text it stands in. */
  quoted<Item>(read: () => Item): readonly [item: Item, source: string] {
    this.space()
    const start = this.at
    const item = read()
    return [item, this.text.slice(start, this.at)]
  }

  private digits(expected: string): string {
    this.space()
    numberPattern.lastIndex = this.at
    const found = numberPattern.exec(this.text)?.[0]
    if (found === undefined) throw this.misplaced(expected)
    this.at += found.length
    return found
  }

  private begins(character: string): boolean {
    this.space()
    return this.text[this.at] === character
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
      if (this.entries > this.keysMax) throw tooManyEntries()
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

/** Values of options as the text that is stored: when two are equal, and how JSON is laid out. */
import type { Option } from '../../api/options.js'
import { isObject, parsedJson } from '../../ui/json-text.js'

type Shape = Pick<Option, 'type' | 'default' | 'options' | 'min'>

/** The declared default, or the emptiest value of the type, as the server has it. */
export function defaultText({ type, default: declared, options, min }: Shape): string {
  if (typeof declared === 'string') return declared
  if (declared !== undefined && declared !== null) return JSON.stringify(declared)
  if (type === 'select') return options?.[0] ?? ''
  if (type === 'number') return String(min ?? 0)
  return { boolean: 'false', json: '{}', list: '[]', string: '', secret: '' }[type]
}

export function isJson({ type }: Pick<Option, 'type'>): boolean {
  return type === 'json' || type === 'list'
}

export function sameText(option: Option, one: string, other: string): boolean {
  return isJson(option) ? compact(one) === compact(other) : one === other
}

/** What keeps a text from being the value of the option, as a key of the area's texts; undefined: nothing. */
export function faultOf(option: Option, text: string): 'noObject' | 'noList' | undefined {
  if (!isJson(option)) return undefined
  const value = parsedJson(text)
  if (option.type === 'list') return Array.isArray(value) ? undefined : 'noList'
  return isObject(value) ? undefined : 'noObject'
}

/** Strings whole, brackets and marks alone, numbers and words as they were written. */
const pieces = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+|"/g

function compact(text: string): string {
  return text.match(pieces)?.join('') ?? ''
}

/** JSON on lines of its own, every number as it was written. What is no JSON stays as it is. */
export function indented(text: string): string {
  if (parsedJson(text) === undefined) return text
  let depth = 0
  const line = () => `\n${'  '.repeat(depth)}`
  const all = text.match(pieces) ?? []
  return all
    .map((piece, place) => {
      if (piece === '{' || piece === '[') {
        depth += 1
        return isEnd(all[place + 1]) ? piece : piece + line()
      }
      if (isEnd(piece)) {
        depth -= 1
        return isBeginning(all[place - 1]) ? piece : line() + piece
      }
      if (piece === ',') return piece + line()
      return piece === ':' ? ': ' : piece
    })
    .join('')
}

function isBeginning(piece: string | undefined): boolean {
  return piece === '{' || piece === '['
}

function isEnd(piece: string | undefined): boolean {
  return piece === '}' || piece === ']'
}

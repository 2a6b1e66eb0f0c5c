/** The regular expressions that stand in the source of the process, and which of them are linear by their form alone. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

export interface Pattern {
  readonly source: string
  readonly flags: string
  /** Where it stands first, from the folder of the program. */
  readonly file: string
}

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Each literal once, of the folders whose code runs in the process. */
export function patternsOf(folders: readonly string[]): readonly Pattern[] {
  const found = new Map<string, Pattern>()
  for (const folder of folders) {
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (name.endsWith('.ts')) collect(join(folder, name), found)
    }
  }
  return [...found.values()]
}

function collect(file: string, found: Map<string, Pattern>): void {
  const text = readFileSync(join(root, file), 'utf8')
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node) && !found.has(node.text)) {
      const end = node.text.lastIndexOf('/')
      found.set(node.text, {
        source: node.text.slice(1, end),
        flags: node.text.slice(end + 1),
        file,
      })
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest))
}

/**
 * Of each of its alternatives: nothing in it repeats without bound; or one character does, at its very end, where it always fits;
 * or one does in an alternative that begins at the beginning: then no place is read twice but to find the end of that one run.
 */
export function isPlainlyLinear({ source }: Pick<Pattern, 'source'>): boolean {
  return doubtfulAlternatives(source).length === 0
}

/** Those that are not linear by their form. At any place they are tried one after the other, so that each can be judged alone. */
export function doubtfulAlternatives(source: string): readonly string[] {
  const alternatives = /\\(?:[1-9]|k<)/.test(source) ? [source] : alternativesOf(source)
  return alternatives.filter((alternative) => {
    const [repeat, ...others] = unboundedRepeats(alternative)
    if (repeat === undefined) return false
    if (others.length > 0 || repeat.before === ')') return true
    return repeat.end !== alternative.length && !/^\^[^|]*$/.test(alternative)
  })
}

/** The pattern at each `|` that stands in no group. */
function alternativesOf(source: string): readonly string[] {
  const found = ['']
  let depth = 0
  for (const part of partsOf(source)) {
    if (part === '(') depth += 1
    if (part === ')') depth -= 1
    if (part === '|' && depth === 0) found.push('')
    else found[found.length - 1] += part
  }
  return found
}

interface Repeat {
  /** The end of what repeats: the last character of a group, a class or a character. */
  readonly before: string
  readonly end: number
}

/** Each `*`, `+` and `{n,}`. */
function unboundedRepeats(source: string): readonly Repeat[] {
  const found: Repeat[] = []
  let at = 0
  let before = ''
  for (const part of partsOf(source)) {
    at += part.length
    if (/^(?:[*+]|\{\d+,\})$/.test(part)) found.push({ before, end: at })
    before = part.at(-1)!
  }
  return found
}

/** A class, an escaped character, a count, or any other character. */
function partsOf(source: string): readonly string[] {
  return source.match(/\[(?:\\.|[^\]\\])*\]|\\.|\{\d+,\d*\}|[\s\S]/g) ?? []
}

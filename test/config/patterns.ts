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
 * Nothing in it repeats without bound, or one character does in a pattern that begins at the beginning: then no place is
 * read twice but to find the end of that one run.
 */
export function isPlainlyLinear({ source }: Pattern): boolean {
  const repeats = unboundedRepeats(source)
  if (repeats.length === 0) return true
  return repeats.length === 1 && repeats[0] !== ')' && /^\^[^|]*$/.test(source)
}

/** What stands before each `*`, `+` and `{n,}`: the last character of a group, a class or a character. */
function unboundedRepeats(source: string): readonly string[] {
  const before: string[] = []
  let inClass = false
  for (let at = 0; at < source.length; at += 1) {
    const char = source[at]!
    if (char === '\\') at += 1
    else if (inClass) inClass = char !== ']'
    else if (char === '[') inClass = true
    else if (char === '*' || char === '+' || /^\{\d+,\}/.test(source.slice(at, at + 8))) {
      before.push(source[at - 1] ?? '')
    }
  }
  return before
}

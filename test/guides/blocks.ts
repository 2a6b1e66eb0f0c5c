/** The files a guide prints: each fenced block whose name stands right before it, or in its first line as a comment. */
import { readFileSync } from 'node:fs'

export interface PrintedFile {
  /** As the guide names it: `office-hours/index.ts`. */
  readonly path: string
  readonly text: string
}

/** Files printed in a page, in order. Throws where one is printed twice. */
export function printedFiles(page: string): readonly PrintedFile[] {
  const lines = readFileSync(page, 'utf8').split('\n')
  const files: PrintedFile[] = []
  for (let at = 0; at < lines.length; at += 1) {
    if (!/^```(?:ts|json)$/.test(lines[at]!)) continue
    const end = lines.indexOf('```', at)
    const path = nameBefore(lines, at) ?? nameIn(lines[at + 1] ?? '')
    if (path !== undefined) {
      if (files.some((file) => file.path === path)) throw new Error(`${page} prints ${path} twice.`)
      files.push({ path, text: `${lines.slice(at + 1, end).join('\n')}\n` })
    }
    at = end
  }
  return files
}

/** The last name of a file in the line before the block, behind which nothing else is named. */
function nameBefore(lines: readonly string[], at: number): string | undefined {
  const before = lines.slice(0, at).findLast((line) => line !== '') ?? ''
  if (!/[:,]$/.test(before)) return undefined
  return [...before.matchAll(/`([\w./-]+\/[\w.-]+\.(?:ts|json))`/g)].at(-1)?.[1]
}

function nameIn(line: string): string | undefined {
  return /^\/\/ ([\w./-]+\/index\.ts)\b/.exec(line)?.[1]
}

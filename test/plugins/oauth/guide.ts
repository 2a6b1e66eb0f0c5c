/** The example of the authors' guide, taken out of it: what it shows must work. */
import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { resolveOwnName } from '../../../kernel/registry/own-copy.js'

const compiled = new URL('../../../', import.meta.url)
const guide = readFileSync(new URL('../plugins/oauth/README.md', compiled), 'utf8')
const [, chapter = ''] = guide.split('\n## An OAuth provider\n')

/** Text of `manifest.json`. */
export const guideManifest = blockOf('json')

// What it imports of the gateway resolves to this one, from any folder.
resolveOwnName()

/** The entry as JavaScript. */
export const guideEntry = ts.transpileModule(blockOf('ts'), {
  compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
}).outputText

/** The first block of a language in the chapter. */
function blockOf(language: string): string {
  const [, text] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(chapter) ?? []
  if (text === undefined) throw new Error(`the guide shows no ${language} of an OAuth provider`)
  return text
}

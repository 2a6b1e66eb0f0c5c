/** The example of the authors' guide, taken out of it: what it shows must work. */
import { readFileSync } from 'node:fs'
import ts from 'typescript'

const compiled = new URL('../../../', import.meta.url)
const guide = readFileSync(new URL('../plugins/tasks/README.md', compiled), 'utf8')

/** Text of `manifest.json`. */
export const guideManifest = blockOf('json')

/** The entry as JavaScript that imports this project as packages outside it do. */
export const guideEntry = ts
  .transpileModule(blockOf('ts'), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
  })
  .outputText.replaceAll(
    /'(?:\.\.\/){3}kernel\/(contract|toolkit\/\w+)\/\w+\.js'/g,
    (_, path: string) => `'waybill/${path}'`,
  )

/** The first block of a language. */
function blockOf(language: string): string {
  const [, text] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(guide) ?? []
  if (text === undefined) throw new Error(`the guide shows no ${language} of a task type`)
  return text
}

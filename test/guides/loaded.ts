/** What a guide prints, as a package has it: code compiled, manifests beside it. */
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { printedFiles } from './blocks.js'

const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 }

/** Files by path that the guide prints in one folder, without its tests. */
export function printedPackage(guide: string, folder: string): Readonly<Record<string, string>> {
  const page = fileURLToPath(new URL(`../../../${guide}`, import.meta.url))
  const files = printedFiles(page).filter(
    ({ path }) => path.startsWith(`${folder}/`) && !path.endsWith('.test.ts'),
  )
  return Object.fromEntries(
    files.map(({ path, text }) =>
      path.endsWith('.ts')
        ? [path.replace(/ts$/, 'js'), ts.transpileModule(text, { compilerOptions }).outputText]
        : [path, text],
    ),
  )
}

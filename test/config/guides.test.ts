/** Every whole plugin that a guide shows is one the compiler takes, where its author would put it. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import ts from 'typescript'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The guide, and where the plugin it shows would stand. */
const guides: readonly (readonly [guide: string, entry: string])[] = [
  ['providers/README.md', 'providers/of-guide/index.ts'],
  ['providers/OWN-FORM.md', 'providers/of-own-form/index.ts'],
  ['plugins/endpoints/README.md', 'plugins/endpoints/of-guide/index.ts'],
  ['plugins/guards/README.md', 'plugins/guards/of-guide/index.ts'],
  ['plugins/management/README.md', 'plugins/management/of-guide/index.ts'],
  ['plugins/notifiers/README.md', 'plugins/notifiers/of-guide/index.ts'],
  ['plugins/oauth/README.md', 'plugins/oauth/of-guide/index.ts'],
]

t.test('the examples of the guides compile', (t) => {
  const files = new Map(guides.map(([guide, entry]) => [root + entry, exampleOf(guide)]))
  // What the area of the guide takes from a file of its own.
  const beside = 'export declare function tagsFrom(value: unknown): readonly string[]\n'
  files.set(`${root}plugins/management/of-guide/tags.ts`, beside)
  const found = faultsOf(files)
  for (const [guide, entry] of guides) t.strictSame(found.get(root + entry), [], guide)
  t.end()
})

t.test('[SVC-2] an author adds names of formats, operations and stages to the types', (t) => {
  const entry = `${root}plugins/endpoints/of-names/index.ts`
  const file = (code: string) => faultsOf(new Map([[entry, code]])).get(entry) ?? []
  const names = `
    import type { FormatName, OperationName, StageName } from '../../../kernel/contract/names.js'
    import { jsonRelay } from '../../../kernel/toolkit/endpoint/index.js'

    export const format: FormatName = 'acme'
    export const operation: OperationName = 'acmeSearch'
    export const stage: StageName = 'acmeBadge'
    export default () => ({ routes: { ask: jsonRelay('chat', 'acme') } })
  `
  const added = `
    declare module '../../../kernel/contract/names.js' {
      interface FormatNames { acme: true }
      interface OperationNames { acmeSearch: true }
      interface StageNames { acmeBadge: true }
    }
  `
  t.strictSame(file(names + added), [])
  const faults = file(names)
  t.equal(faults.length, 4, 'a name nobody added is misspelt')
  for (const name of ['acme', 'acmeSearch', 'acmeBadge']) {
    t.ok(
      faults.some((fault) => fault.includes(`"${name}"`)),
      name,
    )
  }
  t.end()
})

/** The one block of a guide that is a whole entry. */
function exampleOf(guide: string): string {
  const text = readFileSync(root + guide, 'utf8')
  const blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code!)
  const whole = blocks.filter((code) => code.includes('export default function create('))
  if (whole.length !== 1) throw new Error(`${guide} shows ${whole.length} entries`)
  return whole[0]!
}

/** What the compiler states of each of these files, which are nowhere on the disk. */
function faultsOf(files: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const host = ts.createCompilerHost({ ...options, noEmit: true })
  const { fileExists, readFile, getSourceFile } = host
  host.directoryExists = () => true
  host.fileExists = (path) => files.has(path) || fileExists(path)
  host.readFile = (path) => files.get(path) ?? readFile(path)
  host.getSourceFile = (path, version, ...rest) => {
    const text = files.get(path)
    return text === undefined
      ? getSourceFile(path, version, ...rest)
      : ts.createSourceFile(path, text, version)
  }
  const program = ts.createProgram(
    [...files.keys()],
    { ...options, noEmit: true, incremental: false },
    host,
  )
  const texts = (path: string) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(path))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
  return new Map([...files.keys()].map((path) => [path, texts(path)]))
}

/** Authors add names of their own to the types. */
import { fileURLToPath } from 'node:url'
import t from 'tap'
import ts from 'typescript'

const root = fileURLToPath(new URL('../../../', import.meta.url))

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

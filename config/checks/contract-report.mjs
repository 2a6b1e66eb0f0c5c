/**
 * The public types of the contract as text: everything authors of plugins import, one file for each entry in
 * the folder `reports` of the contract. The compiler writes the declarations; what no entry leads to is left out, and comments are.
 * `npm run contract:report` writes the files, `npm run check` compares them with what they would be.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { judgeReports } from './contract-judge.mjs'
import { compilerOptions, entriesOf, programOf, reachedStatements } from './contract-types.mjs'
import { projectRoot } from './sources.mjs'

const reportsFolder = 'kernel/contract/reports'

/** What `npm run check` reports: how many reports were compared, and a sentence for each difference. */
export function findContractFaults() {
  return compareReports(readReports(), makeReports())
}

/**
 * Sentences for every difference between two sets of reports, each a map of the name of an entry to its text.
 * `entries` counts those there are now.
 */
export function compareReports(released, current) {
  const differing = [...new Set([...released.keys(), ...current.keys()])].filter(
    (name) => released.get(name) !== current.get(name),
  )
  const faults =
    differing.length === 0 ? [] : [...judgeReports(released, current), ...advice(differing)]
  return { entries: current.size, faults }
}

function advice(names) {
  return [
    `${names.map((name) => `${reportsFolder}/${name}.txt`).join(', ')}: the public types are no longer these. ` +
      'An addition is a line in kernel/contract/CHANGES.md and a minor version in kernel/registry/contract-version.ts; ' +
      'a break is a major version of every kind it concerns. `npm run contract:report` then writes the report anew.',
  ]
}

/** The text of each report, by the name of its entry. */
function makeReports() {
  const declarations = declarationsOf()
  const texts = new Map()
  for (const { module, text } of reachedStatements(declarations)) {
    const name = reportOf(module)
    texts.set(name, `${texts.get(name) ?? ''}\n//// ${module}\n${text}`)
  }
  return new Map(
    [...texts].map(([name, text]) => [
      name,
      `// Public types of the contract, written by \`npm run contract:report\`.\n${text}`,
    ]),
  )
}

/** Which report a module stands in: that of the entry it belongs to. */
function reportOf(module) {
  const [, room] = /^kernel\/toolkit\/([^/]+)\//.exec(module) ?? []
  if (room !== undefined) return `toolkit-${room}`
  if (module.startsWith('kernel/contract/line/')) return 'contract-line'
  if (module.startsWith('kernel/contract/services/')) return 'contract-services'
  return module.startsWith('kernel/contract/') ? 'contract' : 'conformance'
}

/** Declarations of every module of the project that an entry imports, by path in the project. */
function declarationsOf() {
  const options = { ...compilerOptions(), declaration: true, emitDeclarationOnly: true }
  const program = programOf(
    entriesOf().map((entry) => join(projectRoot, entry)),
    { ...options, noEmit: false, removeComments: true, sourceMap: false, outDir: undefined },
    new Map(),
  )
  const declarations = new Map()
  program.emit(undefined, (path, text) =>
    declarations.set(path.slice(projectRoot.length).replace(/^\//, ''), text),
  )
  return declarations
}

export function readReports() {
  const folder = join(projectRoot, reportsFolder)
  const files = existsSync(folder) ? readdirSync(folder).sort() : []
  return new Map(
    files.map((file) => [basename(file, '.txt'), readFileSync(join(folder, file), 'utf8')]),
  )
}

function writeReports() {
  const folder = join(projectRoot, reportsFolder)
  const before = readReports()
  const reports = makeReports()
  for (const fault of before.size === 0 ? [] : judgeReports(before, reports)) console.log(fault)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of reports) writeFileSync(join(folder, `${name}.txt`), text)
  console.log(`${reports.size} reports were written to ${reportsFolder}/.`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeReports()

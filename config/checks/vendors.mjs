/**
 * `npm run vendors`: everything this program knows of vendors, with where and when it was read, oldest first, and the plugins that name
 * no source. Vendors change monthly; what stands on top is what to look up again. `--days 90`: only what is older.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import ts from 'typescript'
import { projectRoot, sourceFiles } from './sources.mjs'

const dayMs = 86_400_000

/** Facts as tables keep them: object literals with `source` and `read`. `read` is Unix milliseconds. */
export function factsIn(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true)
  const constants = constantsOf(source)
  const facts = []
  const look = (node) => {
    if (ts.isObjectLiteralExpression(node)) {
      const [where, day] = ['source', 'read'].map((name) => textOf(node, name, constants))
      if (where !== undefined && day !== undefined) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart())
        facts.push({ place: `${path}:${line + 1}`, source: where, read: Date.parse(day) })
      }
    }
    ts.forEachChild(node, look)
  }
  look(source)
  return facts
}

/** What an exchange with a vendor was written after, or recorded from. */
export function exchangeIn(path, text) {
  const { source, read } = JSON.parse(text)
  return { place: path, source, read: Date.parse(read) }
}

/** What a README names as read: `read in November 2026: …`, and `(…, read 2026-11-25)`. */
export function sourcesIn(path, text) {
  const dates = /\bread (?:in )?(?:(\d{4}-\d{2}-\d{2})|([A-Z][a-z]+ \d{4}))/g
  return [...text.matchAll(dates)].map((found) => {
    const [words, day, month] = found
    const before = text.slice(0, found.index)
    const behind = text.slice(found.index + words.length)
    const names = behind.startsWith(':') ? behind.slice(1) : before.slice(beginOf(before))
    const source = names.replace(/\s+/g, ' ').trim().replace(/[,;]$/, '')
    const line = before.split('\n').length
    return { place: `${path}:${line}`, source, read: Date.parse(day ?? `1 ${month} UTC`) }
  })
}

/** Where the words begin that a date stands behind: in brackets, in a cell of a table, or in a paragraph. */
function beginOf(before) {
  return Math.max(...['(', '|', '\n\n', '\n- '].map((mark) => before.lastIndexOf(mark))) + 1
}

/** The text of a property; `{ read }` stands for a constant of the file. */
function textOf(node, name, constants) {
  const property = node.properties.find((one) => one.name?.getText() === name)
  if (property === undefined) return undefined
  if (ts.isShorthandPropertyAssignment(property)) return constants.get(name)
  const value = ts.isPropertyAssignment(property) ? property.initializer : undefined
  return value && ts.isStringLiteralLike(value) ? value.text : undefined
}

function constantsOf(source) {
  const declared = source.statements.filter(ts.isVariableStatement)
  return new Map(
    declared
      .flatMap(({ declarationList }) => declarationList.declarations)
      .filter(({ initializer }) => initializer && ts.isStringLiteralLike(initializer))
      .map(({ name, initializer }) => [name.getText(), initializer.text]),
  )
}

/** Folders of the plugins that call a service of somebody's, whose address they bring. */
function folders() {
  const manifests = sourceFiles((path) =>
    /^(?:providers|plugins\/(?:tasks|payments|oauth))\/[\w-]+\/manifest\.json$/.test(path),
  )
  return manifests.filter(isOfVendor).map((path) => path.slice(0, -'/manifest.json'.length))
}

function isOfVendor(path) {
  const { hosts = [], channelTypes = [] } = JSON.parse(contentOf(path))
  return hosts.some((host) => /\.[a-z]/.test(host)) || channelTypes.some(({ baseUrl }) => baseUrl)
}

function readmeOf(folder) {
  const path = `${folder}/README.md`
  return existsSync(join(projectRoot, path)) ? [[path, contentOf(path)]] : []
}

const contentOf = (path) => readFileSync(join(projectRoot, path), 'utf8')

/** Everything that is known, oldest first, and the folders that name no source. */
export function vendorFacts() {
  const code = sourceFiles((path) =>
    /^(?:providers|plugins|kernel\/toolkit\/vendors|test\/(?:kit|providers))\/.*\.ts$/.test(path),
  )
  const exchanges = sourceFiles((path) => /^test\/fixtures\/.*\.exchange\.json$/.test(path))
  const own = folders()
  const readmes = own.flatMap(readmeOf)
  const facts = [
    ...code.flatMap((path) => factsIn(path, contentOf(path))),
    ...exchanges.map((path) => exchangeIn(path, contentOf(path))),
    ...readmes.flatMap(([path, text]) => sourcesIn(path, text)),
  ]
  const without = own.filter((folder) => !facts.some(({ place }) => place.startsWith(`${folder}/`)))
  return { facts: facts.toSorted((one, other) => one.read - other.read), without }
}

function print() {
  const { values } = parseArgs({ options: { days: { type: 'string' } } })
  const least = Number(values.days ?? 0)
  if (!Number.isInteger(least) || least < 0) throw new Error('--days takes a whole number.')
  const { facts, without } = vendorFacts()
  const now = Date.now()
  const shown = facts.filter(({ read }) => now - read >= least * dayMs)
  for (const { place, source, read } of shown) {
    const days = Math.floor((now - read) / dayMs)
    console.log(`${String(days).padStart(4)} days  ${place.padEnd(46)} ${source.slice(0, 100)}`)
  }
  console.log(`\n${shown.length} of ${facts.length} facts are at least ${least} days old.`)
  if (without.length > 0) console.log(`Without a source: ${without.join(', ')}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) print()

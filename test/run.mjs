/**
 * Runs compiled test files and closes with one line: `N passed, N failed`. Takes files as they stand in the sources or
 * compiled; without any, the whole suite. `--again` in their place is for a second run on another database: it leaves out
 * what the first has told already. What failed is told once more at the end, where the log of a long run is looked at, and
 * what could not be proved for want of PostgreSQL, Redis or a browser.
 * The exit status is the runner's, and never 0 where nothing was counted.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { selection } from './selection.mjs'
import { unproven } from './unproven.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const runner = resolve(root, 'test/suite.mjs')

const named = process.argv.slice(2)
const files = filesOf(named)
const child = spawn(process.execPath, [runner, ...files], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
})

let counted
const failures = failureLines()
const left = unproven()
for await (const line of createInterface({ input: child.stdout })) {
  counted = countsIn(line) ?? counted
  failures.take(line)
  left.take(line)
  console.log(line)
}
const [status] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode]

if (failures.lines.length > 0) console.log(`\nwhat failed:\n${failures.lines.join('\n')}\n`)
const open = left.lines(process.env)
if (open.length > 0) {
  console.log(`\nwhat this run could not prove:\n${open.map((line) => `  ${line}`).join('\n')}\n`)
}
console.log(`ran on ${database()}`)
if (counted === undefined || counted.passed + counted.failed === 0) {
  console.log('the runner counted nothing')
  process.exitCode = status || 1
} else {
  process.exitCode = status ?? 1
}
console.log(`${counted?.passed ?? 0} passed, ${counted?.failed ?? 0} failed`)

/** Only the line that closes the whole run stands at the margin; those of single files are indented. */
function countsIn(line) {
  const [, words] = /^# \{ (total: .*) \}$/.exec(line) ?? []
  if (words === undefined) return undefined
  const count = (word) => Number(new RegExp(`\\b${word}: (\\d+)`).exec(words)?.[1] ?? 0)
  return { passed: count('pass'), failed: count('fail') }
}

/** Every `not ok` with the block that explains it, from a single assertion up to its file. */
function failureLines() {
  const lines = []
  let within = ''
  return {
    lines,
    take(line) {
      const [, indent] = /^(\s*)not ok /.exec(line) ?? []
      if (indent !== undefined) {
        within = `${indent}  `
        lines.push(line)
      } else if (within !== '' && line.startsWith(within)) lines.push(line)
      else within = ''
    },
  }
}

function filesOf(named) {
  if (named.length === 0) return wholeSuite()
  if (named.join() !== '--again') return named.map(compiled)
  const { again, once } = selection(wholeSuite(), root)
  for (const [reason, left] of once) console.log(`left out ${left.length} files: ${reason}`)
  return again
}

function compiled(file) {
  const path = relative(root, resolve(file)).replace(/^(?!dist\/)/, 'dist/')
  const module = path.replace(/\.ts$/, '.js')
  if (existsSync(resolve(root, module))) return module
  console.error(`${file}: there is no ${module}; npm run build makes it.`)
  process.exit(1)
}

function wholeSuite() {
  return readdirSync(resolve(root, 'dist/test'), { recursive: true })
    .filter((path) => path.endsWith('.test.js'))
    .map((path) => `dist/test/${path}`)
    .sort()
}

/** Which database the suite used, without user or password. */
function database() {
  const url = process.env.DATABASE_URL
  if (!url) return 'PGlite, the embedded database'
  const { host, pathname } = new URL(url)
  return `PostgreSQL at ${host}${pathname}`
}

/**
 * Which test files a second run of the suite, on another database, can leave out: by what the compiled files import, those
 * that never come near a database, and those that drive a browser or a vendor's SDK, which see the same gateway whatever it
 * stands on; by their name, those about scripts, parsers and plugins that are loaded,
 * about what is judged before a database is asked, and about calls of upstreams.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'

const reasons = {
  before:
    'they are about scripts, parsers, how plugins load, or what is judged before a database is asked',
  upstream: 'they are about what passes to and from an upstream or a proxy',
  client: "they drive a browser or a vendor's SDK",
  server: 'each of their tests needs PostgreSQL',
  apart: 'nothing they import reaches a database or starts a process',
}

const beforeDatabases =
  /\/test\/(?:config\/|attacks\/|fuzz\/|scaffold\/|guides\/|package\/(?:life|hostile|hostile-kinds)\.test\.js$|kernel\/(?:http|registry)\/|spec\/(?:hostile-[a-z]+|api-roles)\.test\.js$)/
const atUpstreams =
  /\/test\/(?:providers\/|plugins\/tasks\/|acceptance\/(?:agents|json-mode|proxies)\.test\.js$|spec\/(?:fmt|rt|svc)(?:-[a-z]+)*\.test\.js$)/
const clientPackages = ['playwright-core', 'openai', '@anthropic-ai/sdk', '@google/genai', 'ai']
/** Everything that opens a database goes through here. */
const databaseFolder = `${sep}kernel${sep}store${sep}`
/** The same outside: drivers, and whatever starts a process or a thread, of which nothing is known here. */
const databasePackages = new Set([
  'pg',
  'knex',
  'objection',
  '@electric-sql/pglite',
  'node:child_process',
  'node:cluster',
  'node:worker_threads',
])
/** An import whose name is made while the program runs, or that leads nowhere: it could be anything. */
const unknown = 'unknown'

/** `again`: files to run once more; `once`: the others, by the reason. Files are named from the root on. */
export function selection(files, root) {
  const imports = new Map()
  const again = []
  const once = new Map()
  for (const file of files) {
    const path = resolve(root, file)
    const reason =
      reasonByName(`/${file}`) ?? reasonByText(path) ?? reasonOf(reachedFrom(path, imports))
    if (reason === undefined) again.push(file)
    else once.set(reason, [...(once.get(reason) ?? []), file])
  }
  return { again, once }
}

function reasonByName(file) {
  if (beforeDatabases.test(file)) return reasons.before
  return atUpstreams.test(file) ? reasons.upstream : undefined
}

function reasonByText(path) {
  const text = readFileSync(path, 'utf8')
  const tests = text.match(/^t\.test\(/gm)?.length
  const skips = text.match(/\bskip: !process\.env\.DATABASE_URL\b/g)?.length
  return tests !== undefined && tests === skips ? reasons.server : undefined
}

function reasonOf(reached) {
  if (clientPackages.some((name) => reached.has(name))) return reasons.client
  return [...reached].some(nearDatabase) ? undefined : reasons.apart
}

function nearDatabase(module) {
  return module === unknown || databasePackages.has(module) || module.includes(databaseFolder)
}

/** Every module a file imports, however far: paths within the project, names of packages. */
function reachedFrom(file, imports) {
  const reached = new Set([file])
  for (const module of reached) {
    if (!module.startsWith(sep)) continue
    if (!imports.has(module)) imports.set(module, importsOf(module))
    for (const imported of imports.get(module)) reached.add(imported)
  }
  return reached
}

const statements =
  /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]/gm
const calls = /(?<![.\w])(?:import|require)\(\s*(?:['"]([^'"]+)['"]\s*\))?/g

function importsOf(module) {
  if (!module.endsWith('.js')) return []
  const text = readFileSync(module, 'utf8')
  const stated = [...text.matchAll(statements)].map(([, from, bare]) => from ?? bare)
  const called = [...text.matchAll(calls)].map(([, name]) => name)
  return [...stated, ...called].map((name) => moduleOf(name, module))
}

function moduleOf(name, importer) {
  if (name === undefined) return unknown
  if (!name.startsWith('.')) return name
  const path = resolve(dirname(importer), name)
  return existsSync(path) ? path : unknown
}

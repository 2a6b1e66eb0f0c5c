/**
 * `npm run build`: compiles the sources into `dist/` and the console into `dist/public/` when they are newer than it.
 * Builds beside and renames, under a lock, so that a running gateway and a second build never see half of it.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { underLock } from './lock.mjs'
import {
  consoleFolder,
  newestChange,
  projectRoot,
  sourceFiles,
  sourceFolders,
  walk,
} from './sources.mjs'

const dist = join(projectRoot, 'dist')
const beside = join(projectRoot, 'dist.next')
const outgoing = join(projectRoot, 'dist.old')
/** Holds when the last build began, so that what changed while it ran counts as newer. */
const stamp = 'built.json'
const compilerState = 'tsconfig.tsbuildinfo'
/** Names files of packages only the build needs, which are copied to a folder of its name beside it. */
const packagedFiles = 'plugins/services/receipts/pdf/fonts.json'
/** The embedded database as a new installation begins with it, and a digest of what it is made of. */
const migrated = 'kernel/store/migrated.tar'
const migratedDigest = `${migrated}.digest`
/** Pages of the console within the output. */
const pages = 'public'

/** Builds where needed; throws an `Error` with a sentence where that fails. */
export async function build() {
  if (isFresh()) return
  await underLock(join(projectRoot, 'dist.lock'), () => {
    if (!isFresh()) rebuild()
  })
}

function isFresh() {
  try {
    const { startedAt } = JSON.parse(readFileSync(join(dist, stamp), 'utf8'))
    return newestChange() < startedAt
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return false
    throw error
  }
}

function rebuild() {
  const startedAt = Date.now()
  rmSync(beside, { recursive: true, force: true })
  // With the last output and the compiler's notes on it, only what changed is compiled again.
  if (existsSync(join(dist, compilerState))) cpSync(dist, beside, { recursive: true })
  compile()
  removeOrphans()
  copyData()
  copyPackagedFiles()
  makeDatabase()
  if (!pagesAreFresh()) buildPages()
  writeFileSync(join(beside, stamp), JSON.stringify({ startedAt }))
  rmSync(outgoing, { recursive: true, force: true })
  if (existsSync(dist)) renameSync(dist, outgoing)
  renameSync(beside, dist)
  rmSync(outgoing, { recursive: true, force: true })
}

function compile() {
  const compiler = join(projectRoot, 'node_modules/typescript/bin/tsc')
  if (!existsSync(compiler)) {
    throw new Error('The sources are newer than dist/ and the compiler is missing; run npm ci.')
  }
  // It takes a while; stdout is left to what is built and run.
  console.error('Building dist/ …')
  const notes = join(beside, compilerState)
  const args = ['--project', projectRoot, '--outDir', beside, '--tsBuildInfoFile', notes]
  run(compiler, args)
}

/** Those of the last build, copied along, are as new as the console's sources. */
function pagesAreFresh() {
  try {
    const { startedAt } = JSON.parse(readFileSync(join(beside, stamp), 'utf8'))
    return (
      existsSync(join(beside, pages, 'index.html')) && newestChange([consoleFolder]) < startedAt
    )
  } catch {
    return false
  }
}

function buildPages() {
  const config = join(projectRoot, consoleFolder, 'vite.config.ts')
  const bundler = join(projectRoot, 'node_modules/vite/bin/vite.js')
  run(bundler, ['build', '--config', config, '--outDir', join(beside, pages), '--logLevel', 'warn'])
}

function run(tool, args) {
  const { status } = spawnSync(process.execPath, [tool, ...args], { stdio: 'inherit' })
  if (status === 0) return
  rmSync(beside, { recursive: true, force: true })
  throw new Error('The build failed; dist/ is as it was.')
}

/** What sources that are gone left behind in the copied output; data is copied anew anyway. */
function removeOrphans() {
  const sources = new Set(sourceFiles((path) => path.endsWith('.ts')))
  const outputs = sourceFolders
    .filter((folder) => existsSync(join(beside, folder)))
    .flatMap((folder) => [...walk(folder, beside)])
  for (const path of outputs) {
    const [, module] = /^(.*?)\.(?:js|js\.map|d\.ts)$/.exec(path) ?? []
    if (module === undefined ? isData(path) : !sources.has(`${module}.ts`))
      rmSync(join(beside, path))
  }
}

/** What the program reads beside its modules: manifests, SQL, the table of models, what new plugins are made of, and the fixtures of tests. */
function copyData() {
  for (const path of sourceFiles(isData)) {
    const target = join(beside, path)
    mkdirSync(dirname(target), { recursive: true })
    cpSync(join(projectRoot, path), target)
  }
}

function copyPackagedFiles() {
  if (!existsSync(join(projectRoot, packagedFiles))) return
  const folder = join(beside, packagedFiles.replace(/\.json$/, ''))
  mkdirSync(folder, { recursive: true })
  const files = JSON.parse(readFileSync(join(projectRoot, packagedFiles), 'utf8'))
  for (const [name, path] of Object.entries(files)) {
    const target = join(folder, name)
    if (!existsSync(target)) cpSync(join(projectRoot, 'node_modules', path), target)
  }
}

/** The one of the last build, copied along, is made anew when a migration or the engine changed. */
function makeDatabase() {
  const maker = join(beside, 'config/checks/migrated-database.js')
  if (!existsSync(maker)) return
  const hash = createHash('sha256')
  for (const path of [...sourceFiles((path) => path.endsWith('.sql')), 'package.json']) {
    hash.update(readFileSync(join(projectRoot, path)))
  }
  const digest = hash.digest('hex')
  const noted = join(beside, migratedDigest)
  if (existsSync(noted) && readFileSync(noted, 'utf8') === digest) return
  run(maker, [join(beside, migrated)])
  writeFileSync(noted, digest)
}

function isData(path) {
  return /\/(?:manifest|known-models)\.json$|\.sql$|^config\/scaffold\/.*(?:\.\w+|\/gitignore)$|^test\/fixtures\/.*\.(?!ts$)\w+$/.test(
    path,
  )
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await build()
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}

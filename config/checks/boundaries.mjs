/**
 * Checks the arrows between folders (`.dependency-cruiser.cjs`) and that the environment has one reader. A cruise that
 * saw fewer modules than there are is a fault, not a success; so is one that saw no plugin import what the kernel offers.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { consoleFolder, projectRoot, sourceFiles, sourceFolders, walk } from './sources.mjs'

const environmentReader = 'config/environment.ts'

/** How many modules were looked at, and a sentence for each wrong arrow. */
export function findTrespasses() {
  const pages = [...walk(consoleFolder)].filter((path) => /\.(?:ts|vue)$/.test(path))
  const modules = [...sourceFiles(isModule), ...pages]
  const cruised = cruise()
  const seen = new Set(cruised.modules.map(({ source }) => source))
  const unseen = modules.filter((path) => !seen.has(path))
  return {
    modules: modules.length,
    faults: [
      ...(offersTaken(cruised) > 0
        ? []
        : ['No plugin was seen to import the contract or the toolkit.']),
      ...unseen.map((path) => `${path} was not looked at.`),
      ...cruised.summary.violations.map(sentenceOf),
      ...modules.filter(readsEnvironment).map((path) => `${path} reads process.env; ${only}.`),
    ],
  }
}

/** What new plugins are made of is no part of the program. */
function isModule(path) {
  return path.endsWith('.ts') && !path.startsWith('config/scaffold/')
}

/** How many arrows lead from plugins and providers to where the rules let them lead. */
function offersTaken({ modules }) {
  return modules
    .filter(({ source }) => /^(?:plugins|providers)\//.test(source))
    .flatMap(({ dependencies }) => dependencies)
    .filter(({ resolved }) => /^kernel\/(?:contract|toolkit)\//.test(resolved)).length
}

const only = `only ${environmentReader} and tests may`

function cruise() {
  const cruiser = join(projectRoot, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  const args = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json']
  const folders = [...sourceFolders, consoleFolder]
  const { stdout, stderr } = spawnSync(process.execPath, [cruiser, ...args, ...folders], {
    cwd: projectRoot,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  })
  // The exit status counts violations, so only an answer that is no JSON is a failure of the tool.
  if (!stdout.startsWith('{')) throw new Error(`dependency-cruiser did not run: ${stderr}`)
  return JSON.parse(stdout)
}

function sentenceOf({ from, to, rule, cycle = [] }) {
  const way = cycle.length > 0 ? cycle.map(({ name }) => name).join(' → ') : to
  return `${from} → ${way}: ${rule.name}.`
}

function readsEnvironment(path) {
  if (path === environmentReader || path.startsWith('test/')) return false
  return /\bprocess\s*\.\s*env\b|\benv\b[^\n]*from 'node:process'/.test(
    readFileSync(join(projectRoot, path), 'utf8'),
  )
}

/** What has to run to be checked: the compiler and the tests of the package, and `create`, each in a process of its own. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Checked } from '../../kernel/registry/checked.js'
import { isPure } from '../../kernel/registry/kit.js'
import type { Finding } from './finding.js'

const createMs = 10_000
const toolMs = 300_000

/** With the package's own compiler; nothing is written. */
export function typeFindings(folder: string): readonly Finding[] {
  if (!existsSync(join(folder, 'tsconfig.json'))) return []
  const compiler = compilerOf(folder)
  if (compiler === undefined) {
    const text =
      'There is a tsconfig.json and no TypeScript; run npm install for types to be checked.'
    return [{ level: 'warning', text }]
  }
  const args = [compiler, '--noEmit', '--project', folder]
  return [outcome(process.execPath, args, { folder, ms: toolMs, what: 'the types' })]
}

function compilerOf(folder: string): string | undefined {
  try {
    return createRequire(join(folder, 'any.js')).resolve('typescript/bin/tsc')
  } catch {
    return undefined
  }
}

/**
 * Whether `create` returns, in time, what its kind promises; of pure kinds in a thread of its own too, where an operator may have it run.
 * `formats`: names of those there are.
 */
export function createFindings(
  { found, manifest }: Checked,
  formats: ReadonlySet<string>,
): readonly Finding[] {
  const program = fileURLToPath(new URL('create-plugin.js', import.meta.url))
  const { folder } = found.origin!
  const terms = { folder, ms: createMs, what: `${manifest.id}: create(kit)` }
  const args = [program, folder, [...formats].join()]
  const created = outcome(process.execPath, args, terms)
  if (!isPure(manifest.kind) || created.level === 'fault') return [created]
  const what = `${terms.what} in a thread of its own (PLUGINS_ISOLATED)`
  const { level, text } = outcome(process.execPath, [...args, 'thread'], { ...terms, what })
  return [created, { level: level === 'fault' ? 'warning' : level, text }]
}

/** `npm test` of the package, where it has one. */
export function testFindings(folder: string): readonly Finding[] {
  const place = join(folder, 'package.json')
  const stated = existsSync(place) ? JSON.parse(readFileSync(place, 'utf8')) : {}
  if (typeof stated.scripts?.test !== 'string') {
    return [{ level: 'warning', text: 'The package has no tests ("scripts.test").' }]
  }
  return [outcome('npm', ['test'], { folder, ms: toolMs, what: 'npm test' })]
}

interface Terms {
  /** Whole path of where it runs. */
  readonly folder: string
  readonly ms: number
  /** The beginning of the sentence. */
  readonly what: string
}

function outcome(program: string, args: string[], { folder, ms, what }: Terms): Finding {
  const options = {
    cwd: folder,
    timeout: ms,
    killSignal: 'SIGKILL',
    encoding: 'utf8',
  } as const
  const { status, error, stdout, stderr } = spawnSync(program, args, options)
  if (status === 0) return { level: 'ok', text: `${what} passed.` }
  const isLate = (error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT'
  if (isLate) return { level: 'fault', text: `${what} did not end within ${ms / 1000} s.` }
  const words = `${stdout ?? ''}${stderr ?? ''}`.trim().slice(-2000)
  return {
    level: 'fault',
    text: `${what} failed: ${words || error?.message || `status ${status}`}`,
  }
}

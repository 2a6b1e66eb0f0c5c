/**
 * `npm run bench -- --against <commit>`: this build and that of another commit, interleaved in one run, each with a database of its
 * own. Prints the medians of both and the ratio of new to old; below 1 is better for all but requests/s. `--quick` runs a tenth.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gateway } from './gateways.js'
import { type Measured, measure, type Terms } from './measure.js'
import { type Row, rowOf } from './rows.js'
import { loader, mock, type Target } from './targets.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const levels = [1, 16, 64, 256] as const

export async function runAgainst(commit: string, quick: boolean): Promise<void> {
  const other = builtFrom(commit)
  const started: Target[] = []
  const start = async (target: Promise<Target>) => {
    started.unshift(await target)
    return started[0]!
  }
  const load = await loader()
  try {
    const upstream = await start(mock(50, quick ? 40 : 200))
    const targets = [
      await start(gateway(upstream.origin, { name: 'old', program: other.program })),
      await start(gateway(upstream.origin, { name: 'new' })),
    ]
    const measured: Measured[] = []
    const both = async (terms: Terms) => {
      // The first of a pair finds another machine than the second, so they take turns.
      for (const target of targets.reverse()) measured.push(await measure(load, target, terms))
    }
    await both({ kind: 'json', connections: 16, requests: 2000 })
    measured.length = 0
    for (let round = 0; round < (quick ? 3 : 6); round++) {
      for (const connections of levels) {
        const requests = (connections === 1 ? 1500 : 8000) / (quick ? 4 : 1)
        await both({ kind: 'json', connections, requests })
      }
    }
    const streams = quick ? 200 : 1000
    for (let round = 0; round < 2; round++) {
      await both({ kind: 'stream', connections: streams, requests: streams })
    }
    print(measured)
  } finally {
    for (const target of started) await target.stop()
    load.disconnect()
    other.remove()
  }
}

/** A checkout of the commit beside this one, with the same packages, built. */
function builtFrom(commit: string): { readonly program: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-against-'))
  run('git', ['worktree', 'add', '--detach', '--force', folder, commit], root)
  const remove = () => {
    spawnSync('git', ['worktree', 'remove', '--force', folder], { cwd: root })
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    run(process.execPath, ['config/checks/build.mjs'], folder)
    return { program: join(folder, 'dist/config/start.js'), remove }
  } catch (error) {
    remove()
    throw error
  }
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with status ${status}.`)
}

type Column = readonly [name: string, figure: (row: Row) => number]

const times: readonly Column[] = [
  ['req/s', (row) => row.requestsPerSecond],
  ['p50 ms', (row) => row.p50],
  ['p99 ms', (row) => row.p99],
]
const others: readonly Column[] = [
  ['RSS MB', (row) => row.residentMb],
  ['failed', (row) => row.failed],
]
const ofJson: readonly Column[] = [
  ...times,
  ['CPU ms', (row) => row.cpuPerRequest],
  ['PG CPU ms', (row) => row.postgresPerRequest],
  ...others,
]
const ofStreams: readonly Column[] = [
  ...times,
  ['us/event', (row) => row.cpuPerEvent * 1000],
  ...others,
]

function print(measured: readonly Measured[]): void {
  for (const connections of levels) {
    const row = (name: string) => rowOf(measured, name, 'json', connections)
    table(`JSON, ${connections} connection(s)`, ofJson, row)
  }
  table('Paced streams, times to the first token', ofStreams, (name) =>
    rowOf(measured, name, 'stream'),
  )
}

function table(title: string, columns: readonly Column[], row: (name: string) => Row): void {
  const [before, after] = [row('old'), row('new')]
  const cells = (text: (figure: Column[1]) => string) => columns.map(([, figure]) => text(figure))
  console.log(`\n${title}`)
  line(
    '',
    columns.map(([name]) => name),
  )
  line(
    'old',
    cells((figure) => short(figure(before))),
  )
  line(
    'new',
    cells((figure) => short(figure(after))),
  )
  line(
    'new / old',
    cells((figure) => ratio(figure(after), figure(before))),
  )
}

function line(title: string, cells: readonly string[]): void {
  console.log(title.padEnd(10) + cells.map((cell) => cell.padStart(11)).join(''))
}

function ratio(after: number, before: number): string {
  return before === 0 ? '' : (after / before).toFixed(2)
}

function short(value: number): string {
  return value === 0 || value >= 100 ? value.toFixed(0) : value.toPrecision(3)
}

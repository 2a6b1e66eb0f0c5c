/**
 * `npm run bench`: direct, a bare dispatch proxy, a plain hapi proxy and the whole gateway, interleaved in one run, as
 * JSON at 1, 16, 64 and 256 connections and as paced streams. Prints every figure as a ratio beside the goal.
 * `npm run bench -- --quick` runs a tenth of it, `-- --pairs` what bodies, conversions and picks cost, `-- --logins` what a
 * flood of sign-ins costs the relay, `-- --threads` what a plugin in a thread of its own costs, `-- --against <commit>` this build
 * beside another, `-- --allocations` what a request allocates and where, `-- --workers` what a second worker adds.
 */
import { gateway } from './gateways.js'
import { type Measured, measure } from './measure.js'
import { printGoals, printTable } from './report.js'
import { bareProxy, hapiProxy, loader, mock } from './targets.js'

if (process.argv.includes('--usage'))
  process.exit(await (await import('./usage-search.js')).runUsageSearch())
if (process.argv.includes('--logins')) {
  await (await import('./logins.js')).runLogins()
  process.exit(0)
}
if (process.argv.includes('--allocations')) {
  await (await import('./allocations.js')).runAllocations()
  process.exit(0)
}
if (process.argv.includes('--workers')) {
  await (await import('./workers.js')).runWorkers()
  process.exit(0)
}
if (process.argv.includes('--threads')) {
  await (await import('./threads.js')).runThreads()
  process.exit(0)
}
if (process.argv.includes('--pairs')) {
  const { runBodies } = await import('./bodies.js')
  const { runPairs } = await import('./pairs.js')
  const { runPick } = await import('./pick.js')
  runBodies()
  runPick()
  await runPairs()
  process.exit(0)
}

const quick = process.argv.includes('--quick')
const against = process.argv.indexOf('--against')
if (against > 0) {
  const { runAgainst } = await import('./against.js')
  await runAgainst(process.argv[against + 1] ?? 'HEAD', quick)
  process.exit(0)
}
const rounds = quick ? 1 : 3
const jsonLevels = [1, 16, 64, 256]
const requestsAt = (connections: number) => (connections === 1 ? 1500 : 8000) / (quick ? 4 : 1)
const streams = quick ? 200 : 1000
const streamEvents = quick ? 40 : 200

const load = await loader()
const upstream = await mock(50, streamEvents)
const targets = [
  upstream,
  await bareProxy(upstream.origin),
  await hapiProxy(upstream.origin),
  await gateway(upstream.origin),
]
const onPostgres = process.env.DATABASE_URL !== undefined
console.log(`database: ${onPostgres ? 'PostgreSQL' : 'PGlite'}, ${rounds} interleaved round(s)\n`)

const measured: Measured[] = []
try {
  for (const target of targets)
    await measure(load, target, { kind: 'json', connections: 16, requests: 2000 })
  for (let round = 0; round < rounds; round++) {
    for (const connections of jsonLevels) {
      for (const target of targets) {
        const requests = requestsAt(connections)
        measured.push(await measure(load, target, { kind: 'json', connections, requests }))
      }
    }
  }
  for (const target of targets) {
    const terms = { kind: 'stream', connections: streams, requests: streams } as const
    measured.push(await measure(load, target, terms))
  }
  printTable(measured)
  printGoals(measured, onPostgres)
} finally {
  for (const target of [...targets].reverse()) await target.stop()
  load.disconnect()
}

/**
 * `npm run bench`: direct, a bare dispatch proxy, a plain hapi proxy and the whole gateway, interleaved in one run, as
 * JSON at 1, 16, 64 and 256 connections and as paced streams. Prints every figure as a ratio beside the goal; `-- --quick` runs
 * a tenth of it. `-- --help` lists the other parts.
 */
import { gateway } from './gateways.js'
import { type Measured, measure } from './measure.js'
import { partNamed } from './parts.js'
import { printGoals, printTable } from './report.js'
import { bareProxy, hapiProxy, loader, mock } from './targets.js'

const named = partNamed(process.argv.slice(2))
if (named !== undefined) process.exit((await named.run()) ?? 0)

const quick = process.argv.includes('--quick')
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

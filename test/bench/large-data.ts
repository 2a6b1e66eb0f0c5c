/**
 * `npm run bench -- --large-data [--rows 5000000] [--keep]`: lists, searches, charts and totals of the management API over a
 * large installation, as the console and scripts ask for them. 100,000 users, 1,000,000 API keys, 10,000 channels and so
 * many rows of the usage log over a year, in a database of its own on DATABASE_URL; `--keep` leaves it there and takes one
 * that is there. Checks besides that no statement reads a large table whole (this needs a superuser; `--statements` prints
 * them), and what the relay has of admins who look at everything. `--only <text>`: what has the text in its name.
 */

import { flagValue } from '../kit/flag-value.js'
import { compareRelay } from './large-data/admins.js'
import { gatewayOn, installation } from './large-data/installation.js'
import { checkPlans, print, timesOf } from './large-data/measure.js'
import { requests } from './large-data/requests.js'
import { mock } from './targets.js'

/** Returns the exit code. */
export async function runLargeData(): Promise<number> {
  const server = process.env.DATABASE_URL
  if (server === undefined) {
    console.log('This part needs PostgreSQL: set DATABASE_URL.')
    return 0
  }
  const rows = Number(flagValue('--rows') ?? 5_000_000)
  const keep = process.argv.includes('--keep')
  const upstream = await mock(50, 10)
  const made = await installation(server, upstream.origin, { rows, keep })
  try {
    return (await measured(made.url)) ? 0 : 1
  } finally {
    await upstream.stop()
    if (!keep) await made.drop()
  }
}

async function measured(url: string): Promise<boolean> {
  const only = flagValue('--only') ?? ''
  const asked = requests().filter(({ name }) => name.includes(only))
  const scans = process.argv.includes('--no-plans') ? 0 : await checkPlans(url, asked)
  const gateway = await gatewayOn(url)
  try {
    console.log(`${''.padEnd(44)}   p50 ms   p95 ms     best`)
    let missed = 0
    for (const one of asked) if (print(await timesOf(gateway, one))) missed++
    const isCalm = process.argv.includes('--no-relay') || (await compareRelay(gateway, asked))
    console.log(`${missed} beyond the goal, ${scans} with a large table read whole`)
    return missed === 0 && scans === 0 && isCalm
  } finally {
    await gateway.stop()
  }
}

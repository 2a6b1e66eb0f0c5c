/** Times of what is asked, each several times; and the statements among it that read a whole large table. */
import { setTimeout as pause } from 'node:timers/promises'
import { administer } from '../administer.js'
import { type Gateway, gatewayOn } from './installation.js'
import type { Asked } from './requests.js'

const goalMs = 100
/** How often each path is asked, after once to warm up. */
const rounds = 5

export interface Times {
  readonly name: string
  readonly p50: number
  readonly p95: number
  /** The same of each path's best: others use the machine too. */
  readonly best: number
  readonly slowest: string
  /** Sentences of refusals. */
  readonly refused: readonly string[]
}

export async function timesOf(gateway: Gateway, { name, paths }: Asked): Promise<Times> {
  const refused = new Set<string>()
  const all = new Map<string, number[]>()
  for (let round = 0; round <= rounds; round++) {
    for (const path of paths) {
      const begun = performance.now()
      const { status, body } = await gateway.admin.call('GET', path)
      const ms = performance.now() - begun
      if (status !== 200) refused.add(`${status} ${body.message}`)
      if (round > 0) all.set(path, [...(all.get(path) ?? []), ms])
    }
  }
  const taken = [...all.values()].flat()
  const bests = [...all].map(([path, times]) => ({ path, ms: Math.min(...times) }))
  const slowest = bests.reduce((one, other) => (one.ms > other.ms ? one : other))
  return {
    ...{ name, slowest: slowest.path, refused: [...refused] },
    ...{ p50: quantile(taken, 0.5), p95: quantile(taken, 0.95) },
    best: quantile(
      bests.map(({ ms }) => ms),
      0.95,
    ),
  }
}

export function print({ name, p50, p95, best, slowest, refused }: Times): boolean {
  const missed = best > goalMs
  const figures = [p50, p95, best].map((ms) => ms.toFixed(1).padStart(9)).join('')
  console.log(`${name.padEnd(44)}${figures}${missed ? '  MISSED' : ''}`)
  if (best > goalMs / 2) console.log(`    slowest: ${slowest}`)
  for (const sentence of refused) console.log(`    refused: ${sentence}`)
  return missed
}

export function quantile(taken: readonly number[], share: number): number {
  const sorted = taken.toSorted((one, other) => one - other)
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
}

interface Scan {
  readonly tables: readonly string[]
  readonly statement: string
}

/**
 * Tables of fewer rows may be read whole; and `accounts`, for the sums of the ledger and the order of users by balance, since an index
 * of what every charge changes would be paid for by every charge.
 */
const large = new Set([
  ...[
    'usage_log',
    'usage_hours',
    'usage_model_hours',
    'usage_keys',
    'usage_days',
    'usage_user_months',
  ],
  ...['users', 'tokens', 'transfers', 'billing_requests', 'audit_log', 'payment_orders'],
  ...['usage_stat_days', 'usage_stat_hours', 'usage_cost_days', 'upstream_costs'],
  ...['tasks', 'redemption_codes'],
])

/** Returns how many paths read a large table whole. */
export async function checkPlans(databaseUrl: string, asked: readonly Asked[]): Promise<number> {
  const name = new URL(databaseUrl).pathname.slice(1)
  const set = (setting: string) => administer(databaseUrl, `ALTER DATABASE ${name} SET ${setting}`)
  await set("session_preload_libraries = 'auto_explain'")
  await set('auto_explain.log_min_duration = 0')
  await set("auto_explain.log_level = 'notice'")
  const notices = new URL('./plan-notices.js', import.meta.url).href
  const gateway = await gatewayOn(databaseUrl, ['--import', notices])
  const scans: Scan[] = []
  gateway.child.on('message', (message) => scans.push(message as Scan))
  try {
    return await scanned(gateway, asked, scans)
  } finally {
    await gateway.stop()
    await administer(databaseUrl, `ALTER DATABASE ${name} RESET ALL`)
  }
}

async function scanned(gateway: Gateway, asked: readonly Asked[], scans: Scan[]): Promise<number> {
  // What the gateway looks through once it has started is over by then.
  await pause(3_000)
  let found = 0
  for (const path of asked.flatMap(({ paths }) => paths)) {
    scans.length = 0
    await gateway.admin.call('GET', path)
    await pause(20)
    const whole = scans.filter(({ tables }) => tables.some((table) => large.has(table)))
    if (whole.length === 0) continue
    found++
    const tables = new Set(whole.flatMap((scan) => scan.tables.filter((table) => large.has(table))))
    console.log(`reads ${[...tables].join(', ')} whole: ${path}`)
    if (process.argv.includes('--statements')) console.log(whole[0]?.statement)
  }
  return found
}

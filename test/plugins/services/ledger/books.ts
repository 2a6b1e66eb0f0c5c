/**
 * A ledger over a database of its own, people with wallets and tokens, and a look into every book.
 */

import t, { type Test } from 'tap'
import type { Clock, Life } from '../../../../kernel/contract/kit.js'
import type { Charge, Closing, Hold, LogDraft } from '../../../../kernel/contract/line/money.js'
import type { RequestId } from '../../../../kernel/contract/names.js'
import type { Kit } from '../../../../kernel/contract/service-kit.js'
import type { Database } from '../../../../kernel/contract/services/database.js'
import type { Peers } from '../../../../kernel/contract/services/peers.js'
import type { Schedule } from '../../../../kernel/contract/services/schedule.js'
import type { System } from '../../../../kernel/contract/services/system.js'
import { noPeers } from '../../../../kernel/peers.js'
import { systemClock } from '../../../../kernel/schedule/system-clock.js'
import type { OpenDatabase } from '../../../../kernel/store/database.js'
import create from '../../../../plugins/services/ledger/index.js'
import type { HoldRequest, Ledger } from '../../../../plugins/services/ledger/ledger.js'
import { silentLog, type Teardown, testDatabase } from '../../../kit/database.js'
import { noRateLimits } from '../../../kit/gateway.js'

export interface Person {
  readonly userId: number
  readonly accountId: number
  readonly tokenId: number
}

export interface Process {
  readonly ledger: Ledger & Life
  /** Runs one of its timed jobs now, e.g. `ledger.mark`. */
  run(job: string): Promise<void>
  hold(person: Person, options?: Partial<HoldRequest>): Hold
  /** Names of the timed jobs that one process at a time does. */
  readonly leased: ReadonlySet<string>
}

export interface Books extends Process {
  readonly database: Database
  person(balance: bigint, cap?: bigint): Promise<Person>
  /** Another process on the same database, started. */
  process(terms?: ProcessTerms): Promise<Process>
  row(sql: string, ...values: readonly (string | number)[]): Promise<Row>
  set(sql: string, ...values: readonly (string | number)[]): Promise<void>
}

export interface ProcessTerms {
  /** Absent: none. */
  readonly peers?: Peers
  readonly nodeName?: string
  readonly clock?: Clock
  /** What stands between the process and the database. */
  readonly wrap?: (database: Database) => Database
}

type Row = Readonly<Record<string, unknown>>

let shared: Promise<Books> | undefined

/**
 * One database for all tests of a file, since making one is dear; everybody in it belongs to one
 * test.
 */
export function ledgerTest(title: string, run: (t: Test, books: Books) => Promise<void>): void {
  t.test(title, async (own) => {
    shared ??= openShared()
    await audited(own, await shared, run)
  })
}

/** Files that share a process share this module too: a file's books end with it. */
function openShared(): Promise<Books> {
  t.teardown(async () => {
    shared = undefined
  })
  return openBooks(t, {})
}

/** For tests that look at everything, or stop and break things. */
export function ownLedgerTest(
  title: string,
  run: (t: Test, books: Books) => Promise<void>,
  terms: ProcessTerms = {},
): void {
  t.test(title, async (t) => audited(t, await openBooks(t, terms), run))
}

/** After each test every invariant holds. */
async function audited(
  t: Test,
  books: Books,
  run: (t: Test, books: Books) => Promise<void>,
): Promise<void> {
  await books.run('ledger.beat')
  await run(t, books)
  await books.ledger.flushed()
  t.strictSame(await books.ledger.check(), [], 'every invariant holds')
}

export async function openBooks(
  t: Teardown,
  terms: ProcessTerms,
  given?: OpenDatabase,
): Promise<Books> {
  const database = given ?? (await testDatabase(t))
  const first = await startProcess(database, terms)
  const row = async (sql: string, ...values: readonly (string | number)[]): Promise<Row> =>
    (await database.knex.raw(sql, [...values])).rows[0] ?? {}
  return {
    ...first,
    database,
    person: (balance, cap) => newPerson(database, first.ledger, balance, cap),
    process: (other = {}) => startProcess(database, other),
    row,
    set: async (sql, ...values) => {
      await row(sql, ...values)
    },
  }
}

async function startProcess(database: Database, terms: ProcessTerms): Promise<Process> {
  const jobs = new Map<string, () => Promise<void> | void>()
  const every: Schedule['every'] = (name, _ms, run) => {
    jobs.set(name, run)
    return { stop: () => void jobs.delete(name), now: async () => run() }
  }
  const leased = new Set<string>()
  const everyLeased: Schedule['everyLeased'] = (name, ms, run) => {
    leased.add(name)
    return every(name, ms, run)
  }
  const schedule: Schedule = { every, everyLeased }
  const ledger = create({
    services: {
      database: terms.wrap?.(database) ?? database,
      schedule,
      system: systemNamed(terms.nodeName ?? 'node-1'),
      peers: terms.peers ?? noPeers,
    },
    clock: terms.clock ?? systemClock,
    log: silentLog,
    settings: noSettings,
  })
  await ledger.start?.()
  return {
    ledger,
    leased,
    run: async (job) => jobs.get(job)?.(),
    hold: (person, given) =>
      ledger.hold({ requestId: nextId(), kind: 'sync', ...person, ...given }),
  }
}

function systemNamed(nodeName: string): System {
  return {
    version: 'v0.0.0',
    startedAt: 0,
    nodeName,
    accepting: () => true,
    droppedLogLines: () => 0,
    environment: {
      port: 0,
      host: '',
      dataDir: '',
      trustedProxies: [],
      allowPrivateUpstreams: true,
      maxRequestBodyBytes: 0,
      streamingTimeoutMs: 0,
      relayTimeoutMs: 0,
      rateLimits: noRateLimits,
      nodeName,
    },
  }
}

const noSettings: Kit['settings'] = {
  all: {},
  string: () => '',
  number: () => 0,
  boolean: () => false,
  json: () => ({}),
  onChange: () => undefined,
}

let minted = 0

export function nextId(): RequestId {
  minted += 1
  return requestId(`req_${String(minted).padStart(26, '0')}`)
}

export function requestId(text: string): RequestId {
  return text as RequestId
}

async function newPerson(
  { knex }: Database,
  ledger: Ledger,
  balance: bigint,
  cap?: bigint,
): Promise<Person> {
  const name = `person-${nextId()}`
  const [user] = await knex('users').insert({ username: name, password_hash: 'x' }).returning('id')
  const [token] = await knex('tokens')
    .insert({
      user_id: user.id,
      name: `token of ${name}`,
      key_hash: Buffer.from(name),
      key_sealed: '',
      key_tail: '',
      limit_quota: cap === undefined ? null : String(cap),
    })
    .returning('id')
  const accountId = await knex.transaction((trx) => ledger.openWallet(user.id, trx))
  if (balance > 0n) {
    await ledger.post({
      key: `topup:${name}`,
      kind: 'topup',
      userId: user.id,
      amount: balance,
      requestId: nextId(),
      note: 'opening balance',
    })
  }
  return { userId: user.id, accountId, tokenId: token.id }
}

export const draft: LogDraft = {
  username: 'ada',
  tokenName: 'laptop',
  model: 'large',
  upstreamModel: 'large-2',
  group: 'default',
  channelId: 7,
  channelName: 'east',
  isStream: true,
  address: '203.0.113.9',
}

/** A delivered answer that cost this much. */
export function cost(quota: bigint, more: Partial<Closing> = {}): Closing {
  return {
    quota,
    delivered: true,
    outcome: 'complete',
    usage: { input: 11, cacheRead: 4, output: 5 },
    snapshot: { model: 'large', ratio: '1.5' },
    durationMs: 1250,
    detail: { first: 30 },
    ...more,
  }
}

export const failed: Closing = cost(0n, { delivered: false, outcome: 'failed', usage: {} })

export const released: Charge = { state: 'released', quota: 0n, shortfall: 0n }

export function settled(quota: bigint, shortfall = 0n): Charge {
  return { state: 'settled', quota, shortfall }
}

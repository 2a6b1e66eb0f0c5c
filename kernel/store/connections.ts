/**
 * The ways to one database: a query builder for management work, a pool for the reads of the hot path, and the
 * billing lane. Both databases are spoken to by the same drivers; they differ in how a connection is made, how many
 * there are, and who may name statements.
 */
import knexModule, { type Knex } from 'knex'
import pg from 'pg'
import type { Log } from '../contract/kit.js'
import type { Statement } from '../contract/services/database.js'
import type { Lite } from './lite/lite.js'
import { valueTypes } from './value-types.js'

export interface Connections {
  readonly kind: 'postgresql' | 'pglite'
  readonly knex: Knex
  readonly reads: pg.Pool
  readonly billing: pg.Pool
  readonly billingLanes: number
  /** What to send for a read: named where the connections keep their statements to themselves. */
  readonly asRead: (statement: Statement) => pg.QueryConfig
  /** A connection outside the pools, not connected yet. */
  single(purpose: SinglePurpose): pg.Client
  /** Ends every connection. */
  close(): Promise<void>
}

/** `long`: no statement of it has an end. */
type SinglePurpose = 'migrate' | 'listen' | 'long'

/** Waiting for a connection, milliseconds. */
const acquireMs = 5000
/** Longest statement, and longest silence inside a transaction, milliseconds (ledger/README.md section 7). */
const statementMs = 5000
/** After it a server that does not even end the statement counts as lost, milliseconds. */
const answerMsMax = 8000

const identity = { user: 'waybill', database: 'waybill' }

interface Plan {
  readonly kind: Connections['kind']
  readonly management: Knex.PgConnectionConfig
  readonly managementConnections: number
  readonly reads: pg.PoolConfig
  readonly billing: pg.PoolConfig
  readonly billingLanes: number
  readonly asRead: Connections['asRead']
  readonly single: Readonly<Record<SinglePurpose, pg.ClientConfig>>
}

/** How many connections a process has at most, by their use. One more listens for changes. */
export interface PoolSizes {
  readonly management: number
  readonly reads: number
  readonly billing: number
}

/** Of each of several processes on one machine: less, so that together they leave a server room. They are opened as they are needed. */
export function poolSizes(processes: number): PoolSizes {
  return {
    management: Math.min(8, Math.max(4, Math.floor(16 / processes))),
    reads: processes <= 4 ? 4 : 2,
    billing: processes <= 8 ? 2 : 1,
  }
}

/** Of one process, with the one that listens. */
export function connectionsOf({ management, reads, billing }: PoolSizes): number {
  return management + reads + billing + 1
}

interface PostgresOptions {
  readonly sizes?: PoolSizes
  /** Milliseconds. */
  readonly answerMs?: number
}

export function postgresConnections(
  databaseUrl: string,
  log: Log,
  { sizes = poolSizes(1), answerMs = answerMsMax }: PostgresOptions = {},
): Connections {
  const server = {
    connectionString: databaseUrl,
    application_name: 'waybill',
    options: '-c synchronous_commit=on -c timezone=UTC',
    types: valueTypes,
    keepAlive: true,
    connectionTimeoutMillis: acquireMs,
  }
  const bounded = {
    ...server,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: statementMs,
  }
  const answered = { ...bounded, query_timeout: answerMs }
  return connect(
    {
      kind: 'postgresql',
      management: answered,
      managementConnections: sizes.management,
      reads: { ...answered, max: sizes.reads },
      billing: { ...answered, max: sizes.billing },
      billingLanes: sizes.billing,
      asRead: (statement) => ({ ...statement, values: [...statement.values] }),
      single: {
        migrate: { ...server, statement_timeout: 0 },
        listen: bounded,
        long: { ...server, statement_timeout: 0 },
      },
    },
    log,
  )
}

export function liteConnections(lite: Lite, log: Log): Connections {
  const line = (priority: number) => ({
    ...identity,
    password: '',
    ssl: false,
    stream: lite.stream(priority),
    types: valueTypes,
    connectionTimeoutMillis: acquireMs,
  })
  return connect(
    {
      kind: 'pglite',
      management: line(0),
      managementConnections: 4,
      reads: { ...line(5), max: 2 },
      billing: { ...line(10), max: 1 },
      billingLanes: 1,
      asRead: ({ text, values }) => ({ text, values: [...values] }),
      single: { migrate: line(0), listen: line(5), long: line(0) },
    },
    log,
  )
}

function connect(plan: Plan, log: Log): Connections {
  const knex = queryBuilder(plan, log)
  const reads = pool(plan.reads, 'reads', log)
  const billing = pool(plan.billing, 'billing', log)
  return {
    kind: plan.kind,
    knex,
    reads,
    billing,
    billingLanes: plan.billingLanes,
    asRead: plan.asRead,
    single: (purpose) => new pg.Client(plan.single[purpose]),
    close: async () => {
      await Promise.allSettled([billing.end(), reads.end(), knex.destroy()])
    },
  }
}

function queryBuilder(plan: Plan, log: Log): Knex {
  const open = new Map<string, pg.Client>()
  const knex = knexModule({
    client: 'pg',
    connection: () => ({ ...plan.management }),
    pool: { min: 0, max: plan.managementConnections, afterCreate: remember },
    acquireConnectionTimeout: acquireMs,
    log: knexLog(log),
  })
  // A connection that did not answer in time would be handed out again, and keep its next user waiting as long.
  knex.on('query-error', (error: Error, query: { readonly __knexUid?: string }) => {
    const client = open.get(query.__knexUid ?? '')
    if (!client || !/Query read timeout$/.test(error.message)) return
    client.emit('error', error)
    client.connection.stream.destroy()
  })
  return knex

  function remember(client: pg.Client & { readonly __knexUid: string }, done: () => void): void {
    open.set(client.__knexUid, client)
    client.on('end', () => open.delete(client.__knexUid))
    done()
  }
}

function pool(config: pg.PoolConfig, name: string, log: Log): pg.Pool {
  const made = new pg.Pool({ idleTimeoutMillis: 60_000, ...config })
  // A connection that breaks while nobody uses it; the pool makes a new one at the next query.
  made.on('error', (error) => log.warn({ err: error, pool: name }, 'database connection lost'))
  return made
}

function knexLog(log: Log): Knex.Config['log'] {
  return {
    warn: (message: unknown) => log.warn({ detail: String(message) }, 'database'),
    error: (message: unknown) => log.error({ detail: String(message) }, 'database'),
    debug: (message: unknown) => log.debug({ detail: String(message) }, 'database'),
    deprecate: (method: unknown) => log.warn({ detail: String(method) }, 'database: deprecated'),
  }
}

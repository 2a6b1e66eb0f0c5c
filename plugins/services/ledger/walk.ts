/**
 * The check of the books while the gateway runs: along the book in parts, from where the last sound check came to, or
 * from its beginning. Each part is one short statement over one moment, so that nobody waits for it, and what has been
 * verified is kept as sums, so that the next check begins there (decision 34).
 */
import { randomUUID } from 'node:crypto'
import type { DedicatedQuery } from '../../../kernel/contract/services/database.js'
import { breachesOf, type Finding, type FoundRow, findingsOf } from './check.js'
import { invariantsOver } from './invariants.js'
import {
  nextMoment,
  nextRequest,
  requestsById,
  requestsByTime,
  sumsOf,
  transfersById,
} from './slices.js'

export interface WalkOptions {
  readonly query: DedicatedQuery
  readonly scope: 'whole' | 'new'
  /** Rows of one part. */
  readonly rows: number
}

export interface Walked {
  readonly scope: 'whole' | 'new'
  readonly findings: readonly Finding[]
  /** Requests and transfers that were looked at. */
  readonly verified: number
}

interface Mark {
  readonly transfers_upto: bigint
  readonly closed_until: string
  readonly isWhole: boolean
}

/** A transaction may bear a time this much earlier than the moment it shows itself: statements of the gateway end within 5 s. */
const overlap = `interval '1 minute'`
const findingsPerWalk = 1_000
/** Every part of the book is read by parts or by sums; the rules that need neither are run as they are. */
const byParts = new Set(['I4', 'I5'])
/** Those that read a request for each of theirs. */
const ofTheWhole = new Set(['I14'])

export async function walk({ query, scope, rows }: WalkOptions): Promise<Walked> {
  const sums = `ledger_walk_${randomUUID().replaceAll('-', '')}`
  await query(`CREATE TEMP TABLE ${sums} (LIKE ledger_sums INCLUDING ALL)`)
  try {
    return await new Walk(query, rows, sums).from(await markOf(query, scope))
  } finally {
    await query(`DROP TABLE IF EXISTS ${sums}`).catch(() => undefined)
  }
}

/** Before anything was verified, all is new. */
async function markOf(query: DedicatedQuery, scope: 'whole' | 'new'): Promise<Mark> {
  const { rows } = await query(
    'SELECT transfers_upto, closed_until::text AS closed_until FROM ledger_checks',
  )
  const kept = rows[0]
  if (scope === 'new' && kept.transfers_upto > 0n) return { ...kept, isWhole: false }
  return { transfers_upto: kept.transfers_upto, closed_until: kept.closed_until, isWhole: true }
}

class Walk {
  private readonly findings: Finding[] = []
  private verified = 0

  constructor(
    private readonly query: DedicatedQuery,
    private readonly rowsPerPart: number,
    private readonly sums: string,
  ) {}

  async from(mark: Mark): Promise<Walked> {
    const now = await this.one('SELECT clock_timestamp()::text AS now')
    await (mark.isWhole ? this.allRequests() : this.requestsSince(mark.closed_until, now.now))
    const begin = mark.isWhole ? 0n : mark.transfers_upto
    const upto = await this.transfersFrom(begin)
    const isSound = await this.balance(mark, upto)
    await this.keep(mark, { upto, until: now.now, isSound })
    const scope = mark.isWhole ? 'whole' : 'new'
    return { scope, findings: this.findings, verified: this.verified }
  }

  private async allRequests(): Promise<void> {
    for (let after: string | null = ''; after !== null; ) {
      const next = await this.one(nextRequest, this.rowsPerPart, after)
      const upto: string | null = next?.next ?? null
      await this.part(requestsById, after, upto)
      after = upto
    }
  }

  private async requestsSince(since: string, until: string): Promise<void> {
    const begin = await this.one(`SELECT ($1::timestamptz - ${overlap})::text AS at`, since)
    for (let after: string = begin.at; after !== until; ) {
      const next = await this.one(nextMoment, this.rowsPerPart, after, until)
      const upto: string = next?.next ?? until
      await this.part(requestsByTime, after, upto)
      after = upto
    }
  }

  /** Up to a transfer before which none can show itself any more; returns its id. */
  private async transfersFrom(begin: bigint): Promise<bigint> {
    const upto = await this.decided(begin)
    for (let after = begin; after < upto; ) {
      const rows = await this.part(transfersById(this.sums), after, upto, this.rowsPerPart)
      after = BigInt(rows[0].upto)
    }
    return upto
  }

  /**
   * Whoever draws an id holds a lock on the table until the transaction ends, so once all who held one when an id was the
   * last have ended, whatever came up to it has shown itself or never will. Where one stays open for long, as little is
   * decided as before.
   */
  private async decided(begin: bigint): Promise<bigint> {
    const { last } = await this.one('SELECT last_value AS last FROM transfers_id_seq')
    const { writers } = await this.one(
      `SELECT array(SELECT DISTINCT virtualtransaction ${writing}) AS writers`,
    )
    for (let look = 0; look < 200; look++) {
      const { over } = await this.one(
        `SELECT NOT EXISTS (SELECT ${writing} AND virtualtransaction = ANY ($1::text[])) AS over`,
        writers,
      )
      if (over) return last
      await this.query('SELECT pg_sleep(0.05)')
    }
    return begin
  }

  /** Whether the sums agree with every balance, and nothing before disagreed. */
  private async balance(mark: Mark, upto: bigint): Promise<boolean> {
    const tables = mark.isWhole ? [this.sums] : ['ledger_sums', this.sums]
    for (const invariant of invariantsOver(sumsOf(tables, upto))) {
      if (!byParts.has(invariant.id) && (mark.isWhole || !ofTheWhole.has(invariant.id))) {
        this.findings.push(...(await breachesOf(this.query, invariant)))
      }
    }
    const ofTheBook = new Set(['I1', 'I3', 'I4', 'I5', 'I6'])
    return !this.findings.some(({ invariant }) => ofTheBook.has(invariant))
  }

  /**
   * The mark moves past what is sound. While something is broken it stays, so that every check meets it again; where the
   * whole book was read, what was verified before counts no more.
   */
  private async keep(
    mark: Mark,
    { upto, until, isSound }: { upto: bigint; until: string; isSound: boolean },
  ): Promise<void> {
    if (!isSound && !mark.isWhole) return
    await this.query('BEGIN')
    try {
      const { transfers_upto } = await this.one(
        'SELECT transfers_upto FROM ledger_checks FOR UPDATE',
      )
      if (transfers_upto === mark.transfers_upto) {
        if (mark.isWhole) await this.query('DELETE FROM ledger_sums')
        if (isSound) await this.add()
        await this.query(
          `UPDATE ledger_checks SET transfers_upto = $1, closed_until = $2::timestamptz,
             whole_at = CASE WHEN $3 THEN now() WHEN $4 THEN whole_at END`,
          [
            isSound ? upto : 0n,
            isSound ? until : '-infinity',
            isSound && mark.isWhole,
            isSound && !mark.isWhole,
          ],
        )
      }
      await this.query('COMMIT')
    } catch (error) {
      await this.query('ROLLBACK').catch(() => undefined)
      throw error
    }
  }

  private async add(): Promise<void> {
    await this.query(`
      INSERT INTO ledger_sums AS s (of_token, id, amount) SELECT of_token, id, amount FROM ${this.sums}
      ON CONFLICT (of_token, id) DO UPDATE SET amount = s.amount + excluded.amount`)
  }

  /** One statement, planned along indexes: its rows are few beside those of the book. */
  private async part(sql: string, ...values: readonly unknown[]) {
    await this.query('BEGIN')
    try {
      await this.query(planning)
      const { rows } = await this.query(sql, values)
      await this.query('COMMIT')
      this.take(rows)
      return rows
    } catch (error) {
      await this.query('ROLLBACK').catch(() => undefined)
      throw error
    }
  }

  private take(rows: readonly (FoundRow & { invariant: string | null; rows?: number })[]): void {
    this.verified += rows[0]?.rows ?? 0
    for (const row of rows) {
      if (row.invariant === null || this.findings.length >= findingsPerWalk) continue
      this.findings.push(...findingsOf(row.invariant, [row]))
    }
  }

  private async one(sql: string, ...values: readonly unknown[]) {
    return (await this.query(sql, values)).rows[0]
  }
}

const writing = `FROM pg_locks WHERE locktype = 'relation' AND relation = 'transfers'::regclass
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND mode <> 'AccessShareLock' AND granted AND pid IS DISTINCT FROM pg_backend_pid()`

const planning = `SELECT set_config('enable_seqscan', 'off', true),
  set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
  set_config('jit', 'off', true)`

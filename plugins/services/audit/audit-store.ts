/**
 * The table of the audit log. Its rows form one chain over all days; one writer at a time adds to it, whichever process it
 * is in. Rows from before the chain was keyed form one of their own for each day (UTC).
 */
import type { Knex } from 'knex'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { AuditLine, AuditRow } from './audit.js'
import { chainHash } from './chain.js'
import type { Head } from './kept-heads.js'
import type { KeyedSince } from './keyed-since.js'

export interface AuditStore {
  append(line: AuditLine): Promise<Head>
  /** Rows of a day behind this one, in the order of the chain. */
  after(day: Day, place: Place | undefined, limit: number): Promise<readonly AuditRow[]>
  /** The row before the first, and the one behind the last of a day. */
  neighbours(day: Day): Promise<{ readonly before?: AuditRow; readonly behind?: AuditRow }>
  /** How a row has to be tied: with the key, or plainly where it is older than that. */
  ties(): Promise<Ties>
}

export interface Ties {
  isKeyed(row: Pick<AuditRow, 'id'>): boolean
  hashOf(row: AuditRow): Buffer
}

export interface StoreDependencies {
  readonly database: Database
  readonly key: () => Buffer
  readonly since: KeyedSince
}

export interface Day {
  readonly from: Date
  readonly to: Date
}

type Place = Pick<AuditRow, 'createdAt' | 'id'>

const msOfDay = 86_400_000

/** The UTC day that this moment is in. */
export function dayOf(moment: Date): Day {
  const from = Math.floor(moment.getTime() / msOfDay) * msOfDay
  return { from: new Date(from), to: new Date(from + msOfDay) }
}

export function auditStore({ database: { knex }, key, since }: StoreDependencies): AuditStore {
  const rows = (from: Knex) => from<StoredRow>('audit_log')

  /** Once for all processes. Where the note of it is gone although rows are keyed, nothing passes for a plain row any more. */
  async function begin(trx: Knex.Transaction, last: StoredRow | undefined): Promise<void> {
    if ((await since.read(trx)) !== undefined) return
    const row = last && rowOf(last)
    const wasKeyed = row !== undefined && chainHash(row, row.previousHash, key()).equals(row.hash)
    await since.write(trx, row === undefined || wasKeyed ? 0 : row.id)
  }

  return {
    append: (line) =>
      knex.transaction(async (trx) => {
        await trx.raw("SELECT pg_advisory_xact_lock(hashtext('waybill audit'))")
        const last = await rows(trx).orderBy(newestFirst).first()
        await begin(trx, last)
        // Clocks of processes differ: the order of the times is the order of the chain all the same.
        const isLate = last !== undefined && last.created_at > line.createdAt
        const reported = isLate ? { ...line, createdAt: last.created_at } : line
        const previousHash = last?.hash ?? null
        const hash = chainHash(reported, previousHash, key())
        const made = await trx('audit_log').insert(columnsOf(reported, previousHash, hash), 'id')
        return { id: Number(made[0].id), createdAt: reported.createdAt, hash }
      }),
    async after({ from, to }, place, limit) {
      const query = rows(knex)
        .where('created_at', '>=', from)
        .where('created_at', '<', to)
        .orderBy(['created_at', 'id'])
        .limit(limit)
      if (place !== undefined) {
        query.whereRaw('(created_at, id) > (?, ?)', [place.createdAt, place.id])
      }
      return (await query).map(rowOf)
    },
    async neighbours({ from, to }) {
      const before = await rows(knex).where('created_at', '<', from).orderBy(newestFirst).first()
      const later = rows(knex).where('created_at', '>=', to)
      const behind = await later.orderBy(['created_at', 'id']).first()
      return { before: before && rowOf(before), behind: behind && rowOf(behind) }
    },
    async ties() {
      const lastPlain = (await since.read(knex)) ?? Number.POSITIVE_INFINITY
      const isKeyed = ({ id }: Pick<AuditRow, 'id'>) => id > lastPlain
      const hashOf = (row: AuditRow) =>
        chainHash(row, row.previousHash, isKeyed(row) ? key() : undefined)
      return { isKeyed, hashOf }
    },
  }
}

const newestFirst = [
  { column: 'created_at', order: 'desc' },
  { column: 'id', order: 'desc' },
] satisfies { column: string; order: 'asc' | 'desc' }[]

export interface StoredRow {
  readonly id: bigint
  readonly created_at: Date
  readonly actor_id: number
  readonly actor_name: string
  readonly actor_role: number
  readonly via: string
  readonly address: string
  readonly action: string
  readonly object: string
  readonly object_name: string | null
  readonly detail: string
  readonly before_hash: Buffer | null
  readonly after_hash: Buffer | null
  readonly request_id: string
  readonly previous_hash: Buffer | null
  readonly hash: Buffer
}

function columnsOf(line: AuditLine, previousHash: Buffer | null, hash: Buffer) {
  return {
    created_at: line.createdAt,
    actor_id: line.actorId,
    actor_name: line.actorName,
    actor_role: line.actorRole,
    via: line.via,
    address: line.address,
    action: line.action,
    object: line.object,
    object_name: line.objectName ?? null,
    detail: line.detail,
    before_hash: line.beforeHash,
    after_hash: line.afterHash,
    request_id: line.requestId,
    previous_hash: previousHash,
    hash,
  }
}

export function rowOf(row: StoredRow): AuditRow {
  return {
    id: Number(row.id),
    createdAt: row.created_at,
    actorId: row.actor_id,
    actorName: row.actor_name,
    actorRole: row.actor_role,
    via: row.via,
    address: row.address,
    action: row.action,
    object: row.object,
    ...(row.object_name !== null && { objectName: row.object_name }),
    detail: row.detail,
    beforeHash: row.before_hash,
    afterHash: row.after_hash,
    requestId: row.request_id,
    previousHash: row.previous_hash,
    hash: row.hash,
  }
}

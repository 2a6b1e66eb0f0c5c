/** The table of the audit log. Rows of one day (UTC) form a chain; one writer at a time adds to it, whichever process it is in. */
import type { Knex } from 'knex'
import type { Database } from '../../../kernel/contract/service.js'
import type { AuditLine, AuditRow } from './audit.js'
import { chainHash } from './chain.js'

export interface AuditStore {
  append(line: AuditLine): Promise<void>
  /** Rows of a day behind this one, in the order of the chain. */
  after(day: Day, place: Place | undefined, limit: number): Promise<readonly AuditRow[]>
}

export interface Day {
  readonly from: Date
  readonly to: Date
}

export type Place = Pick<AuditRow, 'createdAt' | 'id'>

const msOfDay = 86_400_000

/** The UTC day that this moment is in. */
export function dayOf(moment: Date): Day {
  const from = Math.floor(moment.getTime() / msOfDay) * msOfDay
  return { from: new Date(from), to: new Date(from + msOfDay) }
}

export function auditStore({ knex }: Database): AuditStore {
  return {
    append: (line) =>
      knex.transaction(async (trx) => {
        await trx.raw("SELECT pg_advisory_xact_lock(hashtext('waybill audit'))")
        const last = await lastOf(trx, dayOf(line.createdAt))
        // Clocks of processes differ: the order of the times is the order of the chain all the same.
        const isLate = last !== undefined && last.created_at > line.createdAt
        const told = isLate ? { ...line, createdAt: last.created_at } : line
        const previousHash = last?.hash ?? null
        await trx('audit_log').insert(columnsOf(told, previousHash, chainHash(told, previousHash)))
      }),
    async after({ from, to }, place, limit) {
      const query = knex<StoredRow>('audit_log')
        .where('created_at', '>=', from)
        .where('created_at', '<', to)
        .orderBy(['created_at', 'id'])
        .limit(limit)
      if (place !== undefined) {
        query.whereRaw('(created_at, id) > (?, ?)', [place.createdAt, place.id])
      }
      return (await query).map(rowOf)
    },
  }
}

async function lastOf(trx: Knex.Transaction, { from, to }: Day): Promise<StoredRow | undefined> {
  return trx<StoredRow>('audit_log')
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .first()
}

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
    detail: row.detail,
    beforeHash: row.before_hash,
    afterHash: row.after_hash,
    requestId: row.request_id,
    previousHash: row.previous_hash,
    hash: row.hash,
  }
}

/** Pages of the audit log, newest first. */
import type { Knex } from 'knex'
import type { Database } from '../../../kernel/contract/services/database.js'
import { literal } from '../../../kernel/toolkit/service/index.js'
import type { AuditPage, AuditQuery } from './audit.js'
import { rowOf, type StoredRow } from './audit-store.js'

/** Rows that are counted, and that pages reach. */
const rowsMax = 10_000

export async function auditPage({ knex }: Database, query: AuditQuery): Promise<AuditPage> {
  const { page, pageSize } = query
  const offset = (page - 1) * pageSize
  const filtered = () => knex<StoredRow>('audit_log').where((rows) => filter(rows, query))
  const counted = await knex
    .count<{ readonly rows: bigint }[]>('* as rows')
    .from(filtered().select(knex.raw('1')).limit(rowsMax).as('found'))
  const total = Number(counted[0]?.rows ?? 0)
  if (offset >= total) return { items: [], total }
  const rows = await filtered()
    .orderBy(orderOf(query))
    .limit(Math.min(pageSize, rowsMax - offset))
    .offset(offset)
  return { items: rows.map(rowOf), total }
}

/** Ids and times go up together; a stretch of time is found by its times alone. */
function orderOf({ from, to }: AuditQuery) {
  const byId = { column: 'id', order: 'desc' } as const
  const hasTime = from !== undefined || to !== undefined
  return hasTime ? [{ column: 'created_at', order: 'desc' } as const, byId] : [byId]
}

/** Changes of many name their channels in a row; the newest thousand of those are looked through. */
const ofChannel = `id IN (
  SELECT id FROM audit_log WHERE object = ANY (ARRAY[?, ?]::text[])
    AND (action LIKE 'channel%' OR action LIKE 'breakers.%' OR action LIKE 'refusals.%')
  UNION ALL
  SELECT id FROM (
    SELECT id, object FROM audit_log
    WHERE action IN ('channels.changeMany', 'channels.removeIds') ORDER BY id DESC LIMIT 1000
  ) many WHERE object ~ ?)`

function channelIds(id: number): [string, string, string] {
  return [`id ${id}`, `channel ${id}`, `^channels (.* )?${id}( |$)`]
}

function filter(rows: Knex.QueryBuilder, query: AuditQuery): void {
  const { actor, action, object, requestId, channelId, from, to, visibleTo } = query
  if (actor !== undefined) {
    const isNumber = /^\d{1,9}$/.test(actor)
    rows.where((one) => {
      one.where('actor_name', actor)
      if (isNumber) one.orWhere('actor_id', Number(actor))
    })
  }
  if (action !== undefined) rows.whereLike('action', `${literal(action)}%`)
  if (object !== undefined) rows.where('object', object)
  if (requestId !== undefined) rows.where('request_id', requestId)
  if (channelId !== undefined) rows.whereRaw(ofChannel, channelIds(channelId))
  if (from !== undefined) rows.where('created_at', '>=', new Date(from * 1000))
  if (to !== undefined) rows.where('created_at', '<', new Date((to + 1) * 1000))
  if (visibleTo !== undefined) {
    rows.where((one) =>
      one.where('actor_role', '<', visibleTo.below).orWhere('actor_id', visibleTo.userId),
    )
  }
}

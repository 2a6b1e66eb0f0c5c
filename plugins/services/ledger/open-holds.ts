/** Open holds, oldest first: what requests under way have set aside. */
import type { Knex } from 'knex'
import type { OpenHold, Page, PageOf } from './ledger.js'

/** Holds that are counted, and that pages reach. */
const holdsMax = 10_000

export async function openHoldsPage(
  knex: Knex,
  { page, pageSize }: Page,
): Promise<PageOf<OpenHold>> {
  const { rows } = await knex.raw(
    `SELECT count(*) AS total FROM (
       SELECT FROM billing_requests WHERE state = 'reserved' LIMIT ${holdsMax}) open`,
  )
  const total = Number(rows[0].total)
  const offset = (page - 1) * pageSize
  if (offset >= total) return { items: [], total }
  return { items: await openHolds(knex, { offset, limit: pageSize }), total }
}

/** An owner is gone by the rule of `billing_sweep`. The page is cut out first, then joined. */
export async function openHolds(
  knex: Knex,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<readonly OpenHold[]> {
  const { rows } = await knex.raw(
    `SELECT r.request_id, r.kind, r.user_id, r.token_id, r.draft, r.reserved, r.progress,
       r.owner_instance, r.created_at,
       greatest(extract(epoch FROM now() - r.created_at), 0)::integer AS age_seconds,
       coalesce(u.username, r.draft ->> 'username', '') AS username,
       r.kind <> 'task' AND (i.id IS NULL OR r.owner_epoch < i.epoch OR i.stopped_at IS NOT NULL
         OR i.last_seen < now() - interval '30 seconds') AS is_orphan
     FROM (
       SELECT * FROM billing_requests WHERE state = 'reserved'
       ORDER BY created_at, request_id OFFSET ? LIMIT ?
     ) r
     LEFT JOIN users u ON u.id = r.user_id
     LEFT JOIN instances i ON i.id = r.owner_instance
     ORDER BY r.created_at, r.request_id`,
    [offset, limit],
  )
  return rows.map(holdOf)
}

interface HoldRow {
  readonly request_id: string
  readonly kind: string
  readonly user_id: number
  readonly username: string
  readonly token_id: number | null
  readonly draft: Partial<OpenHold['draft']> | null
  readonly reserved: bigint
  readonly progress: bigint
  readonly owner_instance: string
  readonly created_at: Date
  readonly age_seconds: number
  readonly is_orphan: boolean
}

function holdOf(row: HoldRow): OpenHold {
  return {
    requestId: row.request_id,
    kind: row.kind,
    userId: row.user_id,
    username: row.username,
    tokenId: row.token_id ?? undefined,
    draft: row.draft ?? {},
    held: row.reserved,
    used: row.progress,
    instance: row.owner_instance,
    isOrphan: row.is_orphan,
    createdAt: row.created_at,
    ageSeconds: row.age_seconds,
  }
}

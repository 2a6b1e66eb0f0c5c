/** The money of media tasks: charged when an upstream accepts one, corrected once when it ends (README section 9). */
import type { Knex } from 'knex'
import type { Database } from '../../../kernel/contract/services/database.js'
import { finalPayload } from './facts.js'
import type { TaskMoney } from './ledger.js'

export function createTaskMoney(database: Database): TaskMoney {
  return {
    async charge(requestId, quota) {
      const { rows } = await database.knex.raw(
        'SELECT billing_task_charge(?, ?, NULL) AS charged',
        [requestId, quota === undefined ? null : String(quota)],
      )
      const { charged } = rows[0]
      return charged === null ? undefined : BigInt(charged)
    },
    async adopt(requestId) {
      const { rows } = await database.knex.raw('SELECT billing_task_adopt(?) AS adopted', [
        requestId,
      ])
      return rows[0].adopted
    },
    async release(requestId) {
      const { rows } = await database.knex.raw('SELECT billing_task_release(?) AS released', [
        requestId,
      ])
      return rows[0].released
    },
    async abandoned(before, limit) {
      const { rows } = await database.knex.raw(abandonedText, [before, limit])
      return rows.map(({ request_id }: { readonly request_id: string }) => request_id)
    },
    async final({ requestId, taskId, quota, detail, upstreamCost }, trx: Knex.Transaction) {
      const more = await costMore(trx, requestId, upstreamCost)
      const { rows } = await trx.raw('SELECT * FROM billing_task_final(?, ?, ?, ?)', [
        requestId,
        taskId,
        quota === undefined ? null : String(quota),
        finalPayload(detail, more),
      ])
      const [{ charged, quota: cost, shortfall }] = rows
      // Where the client pays nothing more or less there is no row of the log for it.
      if (more !== undefined && more !== 0n && BigInt(charged) === BigInt(cost)) {
        await trx.raw(costText, [String(more), requestId])
      }
      return { charged: BigInt(charged), quota: BigInt(cost), shortfall: BigInt(shortfall) }
    },
  }
}

/** How much more, or less, a task cost upstream than its charge states. Undefined: that is not known. Only its first end states any. */
async function costMore(
  trx: Knex.Transaction,
  requestId: string,
  cost: bigint | undefined,
): Promise<bigint | undefined> {
  const { rows } = await trx.raw(knownText, [requestId, requestId])
  const { known, ended } = rows[0]
  if (known === null) return undefined
  return cost === undefined || ended ? 0n : cost - BigInt(known)
}

const knownText = `
  SELECT (array_agg(upstream_cost ORDER BY created_at, id))[1] AS known,
    count(*) > 1 OR EXISTS (SELECT 1 FROM upstream_costs WHERE request_id = ? AND part = 0) AS ended
  FROM usage_log WHERE request_id = ? AND type IN (2, 6)`

/** Attempts of the request count from 1. */
const costText = `
  INSERT INTO upstream_costs
  SELECT request_id, 0, now(), (draft ->> 'channelId')::integer, user_id, token_id, coalesce(draft ->> 'model', ''),
    coalesce(draft ->> 'upstreamModel', ''), coalesce(draft ->> 'group', ''), ?::bigint
  FROM billing_requests WHERE request_id = ? AND draft ->> 'channelId' IS NOT NULL
  ON CONFLICT DO NOTHING`

/** An owner is gone by the rule of `billing_sweep`. */
const abandonedText = `
  SELECT r.request_id FROM billing_requests r LEFT JOIN instances i ON i.id = r.owner_instance
  WHERE r.kind = 'task' AND r.state = 'reserved' AND r.created_at < ?
    AND (i.id IS NULL OR r.owner_epoch < i.epoch OR i.stopped_at IS NOT NULL
      OR i.last_seen < now() - interval '30 seconds')
  ORDER BY r.created_at LIMIT ?`

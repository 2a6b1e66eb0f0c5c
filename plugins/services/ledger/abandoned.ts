/**
 * Holds that this process owns and that nobody in it works on: their request ended without a close, or their close was
 * refused for good. No sweeper takes them while the process lives, so it compares its open rows with the requests it has
 * in hand, marks what it does not know, and closes it (decision 33).
 */
import type { Log } from '../../../kernel/contract/kit.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { isFaultOfCall } from '../../../kernel/toolkit/service/index.js'
import type { Holds } from './holds.js'
import type { Instance } from './instance.js'

export interface AbandonedDependencies {
  readonly database: Database
  readonly instance: Instance
  readonly holds: Holds
  readonly log: Log
}

/** A hold is known here before its row exists and until after its close: the age is a second guard, no rule. */
const ageMinSeconds = 5

/** Compares once; resolves with how many holds it closed. Rejects when the database does not take it. */
export function createAbandoned({ database, instance, holds, log }: AbandonedDependencies) {
  return async function closeAbandoned(): Promise<number> {
    const { owner } = instance
    const { rows } = await database.query({
      name: 'billing-open',
      text: `SELECT request_id FROM billing_requests
        WHERE state = 'reserved' AND kind <> 'task' AND owner_instance = $1 AND owner_epoch = $2
          AND created_at < now() - $3 * interval '1 second'`,
      values: [owner.instance, owner.epoch, ageMinSeconds],
    })
    const open: readonly { readonly request_id: string }[] = rows
    const working = holds.working()
    const abandoned = open.map(({ request_id }) => request_id).filter((id) => !working.has(id))
    await database.billing({
      name: 'billing-abandoned',
      text: 'SELECT billing_abandoned($1, $2, $3)',
      values: [owner.instance, owner.epoch, abandoned],
    })
    let closed = 0
    for (const requestId of abandoned) if (await close(requestId)) closed += 1
    return closed
  }

  /** One that cannot be closed stays marked, which the check of the books reports, and keeps no other waiting. */
  async function close(requestId: string): Promise<boolean> {
    const actual = holds.refused.get(requestId)
    try {
      const isClosed = await closeAt(requestId, actual)
      holds.refused.delete(requestId)
      if (isClosed) log.error({ requestId, actual }, 'closed a hold nobody was working on')
      return isClosed
    } catch (error) {
      if (!isFaultOfCall(error)) throw error
      log.error({ err: error, requestId, actual }, 'a hold nobody works on cannot be closed')
      return false
    }
  }

  /** What it is known to have cost; where even that amount cannot be stored, what was marked last. */
  async function closeAt(requestId: string, actual: bigint | undefined): Promise<boolean> {
    if (actual === undefined) return closedAt(requestId, null)
    try {
      return await closedAt(requestId, actual)
    } catch (error) {
      if (!isFaultOfCall(error)) throw error
      return closedAt(requestId, null)
    }
  }

  async function closedAt(requestId: string, amount: bigint | null): Promise<boolean> {
    const { rows } = await database.billing({
      name: 'billing-close-abandoned',
      text: 'SELECT billing_close_abandoned($1, $2) AS closed',
      values: [requestId, amount],
    })
    return rows[0].closed
  }
}

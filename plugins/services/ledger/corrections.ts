/** The truth of a late owner, whose request another has closed already: it waits for the database as every other close does. */
import type { Clock, Log } from '../../../kernel/contract/kit.js'
import type { Charge } from '../../../kernel/contract/line/money.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { untilTaken } from './repeated.js'

export interface Corrections {
  /** @param payload the row of the usage log, as JSON */
  correct(requestId: string, quota: bigint, payload: string): Promise<Charge>
  /** Resolves once those under way are stored, or have failed. */
  flushed(): Promise<void>
}

export function createCorrections(database: Database, clock: Clock, log: Log): Corrections {
  const underway = new Set<Promise<unknown>>()
  return {
    async correct(requestId, quota, payload) {
      const statement = {
        name: 'billing-correct',
        text: 'SELECT quota, shortfall FROM billing_correct($1, $2, $3)',
        values: [requestId, quota, payload],
      }
      const taken = untilTaken(
        clock,
        () => database.billing(statement),
        (err) => log.warn({ err, requestId }, 'a correction fails and will be tried again'),
      )
      underway.add(taken)
      const { rows } = await taken.finally(() => underway.delete(taken))
      const cost = BigInt(rows[0].quota)
      const state = cost > 0n ? 'settled' : 'released'
      return { state, quota: cost, shortfall: BigInt(rows[0].shortfall) }
    },
    async flushed() {
      await Promise.allSettled(underway)
    },
  }
}

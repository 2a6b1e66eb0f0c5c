/**
 * Callbacks that are not genuine, and those about nothing the gateway acts on: counted in memory, and kept every few seconds
 * as one row for each gateway and hour, so that nobody fills the inbox or makes the database work.
 */
import type { Database } from '../../../kernel/contract/services/database.js'
import { keep } from './inbox.js'

interface Tally {
  readonly gateway: string
  readonly verdict: 'forged' | 'ignored'
  /** Why, in a sentence; or the kind of event. Of the last. */
  readonly reason: string
  readonly address: string
}

export interface Tallies {
  note(tally: Tally): void
  /** Keeps what was counted since the last time. Rejects where the database does; then it is counted on. */
  keep(): Promise<void>
}

interface Counted extends Tally {
  readonly event: string
  readonly times: number
}

const hourMs = 3_600_000

export function createTallies({ knex }: Pick<Database, 'knex'>, now: () => number): Tallies {
  let counted = new Map<string, Counted>()

  function add(one: Counted): void {
    const key = `${one.gateway} ${one.event}`
    counted.set(key, { ...one, times: one.times + (counted.get(key)?.times ?? 0) })
  }

  return {
    note(tally) {
      const at = now()
      const event = `${tally.verdict} ${new Date(at - (at % hourMs)).toISOString()}`
      add({ ...tally, event, times: 1 })
    },
    async keep() {
      const taken = [...counted.values()]
      counted = new Map()
      for (const [index, { reason, ...one }] of taken.entries()) {
        try {
          await keep(knex, { ...one, detail: { reason } }, new Date(now()))
        } catch (error) {
          for (const left of taken.slice(index)) add(left)
          throw error
        }
      }
    },
  }
}

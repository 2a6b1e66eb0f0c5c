/**
 * Counts what upstreams refuse because they do not know or do not take it, by channel, model and field, so that operators see that an
 * interface has changed before their users tell them. Counted in memory behind the requests and written together; while the database is
 * away the counts wait.
 */

import type { Life } from '../../../kernel/contract/kit.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import type { Refusals } from './refusals.js'
import { refusalsOf } from './refusals-of.js'
import { addRows, deleteRows, readRows } from './rows.js'
import { Tally } from './tally.js'

export type * from './refusals.js'

/** Fields that wait to be written, of all channels. */
const waitingMax = 5_000
/** Rows of one transaction. */
const batchRows = 500
const flushMs = 5_000
/** While the database does not take them. */
const againMs = 30_000

type RefusalsKit = Kit<'database' | 'channels' | 'changes' | 'traffic'>

export default function create({ services, clock, log }: RefusalsKit): Refusals & Life {
  const { database, channels, changes, traffic } = services
  const { knex } = database
  const tally = new Tally(waitingMax)
  let cancelFlush: (() => void) | undefined
  let isStopped = false
  /** Nothing is cleared while it is being written. */
  let turn: Promise<unknown> = Promise.resolve()

  function flushIn(ms: number): void {
    if (!isStopped) cancelFlush ??= clock.after(ms, () => void flush())
  }

  function flush(): Promise<void> {
    cancelFlush?.()
    cancelFlush = undefined
    return inTurn(write)
  }

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = turn.then(work)
    turn = done.catch(() => {})
    return done
  }

  /** What the database may have taken without a word is written again: a count may be too high, and is never too low. */
  async function write(): Promise<void> {
    const { counted, dropped } = tally.take()
    if (dropped > 0) log.warn({ dropped }, 'more fields are refused than can be counted')
    let left = counted
    try {
      for (; left.length > 0; left = left.slice(batchRows)) {
        await addRows(knex, left.slice(0, batchRows), clock.monotonic())
      }
    } catch (err) {
      tally.putBack(left)
      log.error({ err, waiting: left.length }, 'refused fields wait for the database')
      flushIn(againMs)
    }
  }

  return {
    async of(channelId) {
      await flush()
      return readRows(knex, channelId)
    },
    async clear(channelId) {
      await flush()
      return inTurn(() =>
        knex.transaction(async (trx) => {
          await changes.note(trx, 'refusals', channelId)
          return deleteRows(trx, channelId)
        }),
      )
    },
    flush,
    start() {
      traffic.onSettled((settling) => {
        for (const refusal of refusalsOf(settling, (id) => channels.get(id))) {
          tally.add(refusal, clock.monotonic())
          flushIn(flushMs)
        }
      })
      changes.on('refusals', (ids) => {
        for (const id of ids) tally.forget(Number(id))
      })
    },
    async stop() {
      isStopped = true
      await flush()
    },
  }
}

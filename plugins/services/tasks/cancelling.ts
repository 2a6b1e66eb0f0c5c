/**
 * The end of a task on request. Where an upstream ends only what waits, the same call may delete the record of what is done: the
 * task is looked at first, and one that is gone afterwards is not paid back for it.
 */
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { Memory } from '../../../kernel/contract/services/memory.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Asking, Owner } from './asking.js'
import { shownId } from './line.js'
import { patiently } from './patience.js'
import type { Polling } from './polling.js'
import type { createReading } from './reading.js'
import { refOf, type TaskRow, tasksOf } from './rows.js'
import type { Tasks } from './tasks.js'

export interface CancellingDependencies {
  readonly database: Pick<Database, 'knex'>
  readonly reading: Pick<ReturnType<typeof createReading>, 'rowOf' | 'recorded'>
  readonly asking: Asking
  readonly memory: Memory
  readonly polling: Pick<Polling, 'one'>
  readonly clock: Pick<Clock, 'now' | 'after'>
}

/** The upstream ends it in its own time: that is seen by the next poll, and paid back then. */
export function createCancelling(dependencies: CancellingDependencies): Tasks['cancel'] {
  const { database, reading, asking, memory, polling, clock } = dependencies
  const { knex } = database

  async function current(taskId: string): Promise<TaskRow> {
    const row = await reading.rowOf(taskId)
    if (row.billing !== 'charged') throw new Refusal('task_ended', { task: shownId(taskId) })
    return row
  }

  /** What became of a call nobody knows the end of counts as cancelled; a mark that is not so could keep a refund back. */
  function mark({ id }: TaskRow, at: Date | null) {
    return patiently(clock, async () => {
      await tasksOf(knex)
        .where({ id } as never)
        .update({ cancel_at: at } as never)
    })
  }

  /** Its status. */
  async function request(owner: Owner, row: TaskRow): Promise<number> {
    const { adapter, channel } = owner
    const room = memory.room()
    try {
      const { status } = await asking.call(owner, room, (credentials, now) =>
        adapter.cancel!(refOf(row), channel, credentials, { now }),
      )
      return status
    } finally {
      room.release()
    }
  }

  return async (taskId) => {
    const notCancellable = new Refusal('task_not_cancellable', { task: shownId(taskId) })
    const found = await current(taskId)
    const owner = await asking.owner(found)
    if (typeof owner === 'string' || owner.adapter.cancel === undefined) throw notCancellable
    const { cancelsOnlyQueued = false } = owner.adapter
    const isSeen = await polling.one(found)
    const row = await current(taskId)
    const waits = isSeen && row.poll_failures === 0 && row.state === 'queued'
    if (cancelsOnlyQueued && !waits) throw notCancellable
    await mark(row, new Date(clock.now()))
    if ((await request(owner, row)) > 299) {
      await mark(row, null)
      throw notCancellable
    }
    await polling.one(await reading.rowOf(taskId))
    return reading.recorded(await reading.rowOf(taskId))
  }
}

/**
 * Media tasks: their rows, their polls, their end. What they cost is set aside and charged by the line; this service posts what
 * their end makes of it, once (README beside this file).
 */
import type { Knex } from 'knex'
import type { Life } from '../../../kernel/contract/kit.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import type { TaskAdapter, TaskCallback, TaskRef } from '../../../kernel/contract/task.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { createAdvancing } from './advancing.js'
import { createAsking } from './asking.js'
import { createCallbacks, serverAddress } from './callbacks.js'
import { createCancelling } from './cancelling.js'
import { createContent } from './content.js'
import { createEnding } from './ending.js'
import { dropBytes } from './kept-results.js'
import { createLine, shownId } from './line.js'
import { passOnNews } from './news.js'
import { createPolling, intervalMs } from './polling.js'
import { createReading } from './reading.js'
import { createReports, createWriteReport } from './reports.js'
import { createAddresses, createResults } from './results.js'
import { refOf, type TaskRow, tasksOf } from './rows.js'
import { createSigned } from './signed.js'
import { createStoredContent } from './stored-content.js'
import { createNoteResults, letGo } from './stored-rows.js'
import { createStoring } from './storing.js'
import { createSweeping } from './sweeping.js'
import type { TaskRecord, Tasks } from './tasks.js'
import { createWaiting } from './waiting.js'

export type * from './tasks.js'

const roundMs = 1_000
const storeMs = 2_000
const tidyMs = 3_600_000
const sweepMs = 10_000
const forgetMs = 600_000
/** How long a stop waits for calls under way; another process asks again for what they were about. */
const stopMs = 5_000

type TasksKit = Kit<
  | 'database'
  | 'schedule'
  | 'changes'
  | 'live'
  | 'memory'
  | 'secrets'
  | 'egress'
  | 'providers'
  | 'channels'
  | 'credentials'
  | 'ledger'
  | 'pricing'
  | 'notifications'
  | 'options'
  | 'task-storage'
>

export default function create({ services, settings, clock, log }: TasksKit): Tasks & Life {
  const { database, schedule, changes, secrets, egress, memory, providers, channels } = services
  const { credentials, ledger, pricing, notifications, options, live } = services
  const { 'task-storage': storage } = services
  const { knex } = database
  passOnNews(changes, live)
  const signed = createSigned({ secrets, clock, serverAddress: () => serverAddress(options) })
  const callbacks = createCallbacks({ secret: secrets.derive('task-callbacks'), options })
  const asking = createAsking({ channels, providers, credentials, egress, clock })
  const noteResults = createNoteResults(storage)
  const noteReport = createReports({ notifications, secrets, log })
  const waiting = createWaiting({ knex, clock })
  const ending = createEnding({
    ...{ database, changes, channels, ledger, pricing, clock, log },
    ...{ noteReport, noteResults },
  })
  const end: typeof ending = async (row, how) => {
    const isOurs = await ending(row, how)
    waiting.wake(row.task_id)
    return isOurs
  }
  const advance = createAdvancing({ database, changes, clock, end })
  const polling = createPolling({ database, asking, memory, advance, end, clock, log })
  const addressOf = createAddresses(signed)
  const retentionDays = () => settings.number('retentionDays')
  const reading = createReading({ knex, addressOf, asking, pricing, storage, retentionDays })
  notifications.reporter(createWriteReport({ knex, addressOf }))
  const cancel = createCancelling({ database, reading, asking, memory, polling, clock })
  const fetching = createContent({ egress, channels, providers, credentials, clock })
  const readStored = createStoredContent({ knex, storage, log })
  const storing = createStoring({
    ...{ knex, changes, storage, fetching, clock, log },
    alert: alertStorage,
  })
  const jobs: { stop(): void }[] = []

  /** Once for each task. */
  function alert(
    { task_id, channel_id }: Pick<TaskRow, 'task_id' | 'channel_id'>,
    reason: string,
    trx: Knex.Transaction,
  ) {
    const notice = {
      type: 'task_in_doubt',
      title: 'A media task may have been made that nobody pays for',
      content: 'The task {{value}} was sent to the channel {{value}}. {{value}}',
      values: [task_id, String(channel_id), reason],
    }
    return notifications.notifyRoot(notice, `task in doubt:${task_id}`, trx)
  }

  /** Once a day. */
  function alertStorage(place: string, reason: string) {
    const notice = {
      type: 'task_storage',
      title: 'Results of media tasks cannot be stored',
      content: 'Storing in the place {{value}} failed. {{value}} It is tried again for some hours.',
      values: [place, reason],
    }
    const day = new Date(clock.now()).toISOString().slice(0, 10)
    return notifications.notifyRoot(notice, `task storage:${place}:${day}`)
  }

  const line = createLine({
    ...{ database, channels, ledger, secrets, settings, clock, log, addressOf, alert, waiting },
    callbackUrl: callbacks.urlOf,
  })
  const sweeping = createSweeping({
    ...{ database, ledger, end, noteReport, clock, log, alert },
    timeoutMinutes: () => settings.number('timeoutMinutes'),
    ...{ expire: storing.expire, retentionDays },
  })

  async function poll(taskId: string): Promise<TaskRecord> {
    const row = await reading.rowOf(taskId)
    if (row.billing !== 'charged') throw new Refusal('task_ended', { task: shownId(taskId) })
    await polling.one(row)
    return reading.recorded(await reading.rowOf(taskId))
  }

  async function notice(taskId: string, secret: string, callback: TaskCallback): Promise<void> {
    if (!callbacks.isGenuine(taskId, secret)) {
      throw new Refusal('task_not_found', { task: shownId(taskId) })
    }
    const row = await reading.rowOf(taskId)
    const owner = await asking.owner(row)
    if (typeof owner === 'string' || row.state === 'submitting') return
    const progress = reported(owner.adapter.notice, callback, refOf(row))
    // A doubtful task has no id of its upstream: its address alone names it.
    if (progress === undefined || progress.ref !== (row.upstream_ref ?? progress.ref)) return
    const pollAt = new Date(clock.now() + intervalMs(row, clock.now()))
    await advance(row, progress, { pollAt, secrets: [owner.key.text] })
  }

  async function remove(userId: number, taskId: string): Promise<TaskRecord> {
    const row = await reading.rowOf(taskId, userId)
    if (row.billing === 'charged') await cancel(taskId).catch(unlessEnded)
    await knex.transaction(async (trx) => {
      await tasksOf(trx)
        .where({ id: row.id } as never)
        .update({ hidden: true, results: '[]', raw: '{}' } as never)
      await dropBytes(trx, row.id)
      await letGo(trx, [row.id], new Date(clock.now()))
    })
    return reading.recorded(row)
  }

  return {
    line,
    find: reading.find,
    findAll: reading.findAll,
    page: reading.page,
    list: reading.list,
    details: reading.details,
    ...{ signed, content: createResults({ knex, reading, fetching, readStored }) },
    ...{ poll, cancel, remove, notice },
    async round() {
      await polling.idle()
      await sweeping.sweep()
      await polling.round()
      await polling.idle()
      await sweeping.forget()
      await storing.round()
    },
    start() {
      jobs.push(
        schedule.every('tasks.poll', roundMs, polling.begin),
        schedule.every('tasks.store', storeMs, storing.begin),
        schedule.everyLeased('tasks.tidy', tidyMs, storage.tidy),
        schedule.everyLeased('tasks.sweep', sweepMs, sweeping.sweep),
        schedule.everyLeased('tasks.forget', forgetMs, sweeping.forget),
      )
    },
    async stop() {
      for (const job of jobs.splice(0)) job.stop()
      polling.stop()
      let enough = () => {}
      const late = new Promise<void>((resolve) => {
        enough = clock.after(stopMs, resolve)
      })
      await Promise.race([Promise.all([polling.idle(), storing.idle()]), late])
      enough()
    },
  }
}

/** It ended while it was about to be cancelled. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof Refusal && error.code === 'task_ended')) throw error
}

/** A report no adapter can read is refused, whatever it holds: anybody with the address may send one. */
function reported(notice: TaskAdapter['notice'], callback: TaskCallback, ref: TaskRef) {
  try {
    return notice?.(callback, ref)
  } catch (cause) {
    if (cause instanceof Refusal) throw cause
    throw new Refusal('invalid_request', { reason: 'The report cannot be read' }, { cause })
  }
}

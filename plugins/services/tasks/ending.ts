/**
 * The end of a task. Polls, reports of the upstream, the sweep and people compete for it by one compare-and-set; who wins it settles
 * the money in the same transaction, and nobody else does (BILL-4, BILL-10).
 */

import type { Knex } from 'knex'
import type { Usage } from '../../../kernel/contract/event.js'
import type { Clock, Log } from '../../../kernel/contract/kit.js'
import type { Channel } from '../../../kernel/contract/line/channel.js'
import type { Changes } from '../../../kernel/contract/services/changes.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { Progress } from '../../../kernel/contract/task.js'
import type { Channels } from '../channels/index.js'
import type { Ledger } from '../ledger/index.js'
import type { Pricing } from '../pricing/index.js'
import { type Cost, costOf } from './cost.js'
import { deltaIsOff } from './delta.js'
import { keptMade } from './kept-made.js'
import { type KeptResults, keptResults, storeBytes } from './kept-results.js'
import { keptAnswer, keptReason, keptWord } from './kept-text.js'
import { taskNews } from './news.js'
import type { NoteReport } from './reports.js'
import { noteState, type TaskRow, tasksOf, unshownOf } from './rows.js'
import { storedJson } from './stored-json.js'
import type { NoteResults } from './stored-rows.js'

export interface EndingDependencies {
  readonly database: Pick<Database, 'knex'>
  readonly changes: Pick<Changes, 'note'>
  readonly channels: Pick<Channels, 'get'>
  readonly ledger: Pick<Ledger, 'tasks'>
  readonly pricing: Pick<Pricing, 'ofTerms' | 'current'>
  readonly clock: Clock
  readonly log: Log
  readonly noteReport: NoteReport
  readonly noteResults: NoteResults
}

/** How a task ended. */
interface TaskEnd extends Pick<Progress, 'word' | 'results' | 'reason' | 'made' | 'raw'> {
  readonly state: 'succeeded' | 'failed'
  /** Although it failed: it may have been made, and is not paid back. */
  readonly chargeStands?: true
  /** What the upstream's words must not show. */
  readonly secrets?: readonly string[]
}

/** Its upstream was requested to cancel it, and reports nothing of it any more. */
export const cancelledAndGone = {
  state: 'failed',
  reason:
    'The task was cancelled, and the upstream no longer has it. It may have been made before, so the charge stands.',
  chargeStands: true,
} as const

interface SettledCost extends Cost {
  /** What the upstream charges for it in all. Absent: what was known of it stands. */
  readonly upstreamCost?: bigint
}

/** Resolves with whether this call ended it. */
export type EndTask = (row: TaskRow, end: TaskEnd) => Promise<boolean>

export function createEnding(dependencies: EndingDependencies): EndTask {
  const { ledger, clock, log, noteReport } = dependencies
  const { knex } = dependencies.database

  return async (row, end) => {
    if (row.billing !== 'charged') return late(row, end)
    // Closes the hold where its process died before it could. A transaction of its own: see `TaskMoney.final`.
    const paid = await ledger.tasks.charge(row.request_id, row.charged ?? undefined)
    const cost = costIn(row, end, dependencies)
    const at = new Date(clock.now())
    const kept = keptOf(row, end)
    const isOurs = await knex.transaction(async (trx) => {
      const [won] = await tasksOf(trx)
        .where({ id: row.id, billing: 'charged' } as never)
        .update(endedValues(row, end, { kept, at }) as never)
        .returning<TaskRow[]>('*')
      if (won === undefined) return false
      if (kept.bytes.length > 0) await storeBytes(trx, won.id, kept.bytes)
      if (paid !== undefined) await settled(won, cost)
      else await uncharged(trx, won)
      await noteState(trx, won, at)
      await noteReport(trx, won, 'task.finished')
      await dependencies.noteResults(trx, won, at)
      await dependencies.changes.note(trx, taskNews, won.user_id)
      return true

      async function settled(
        { request_id, task_id, charged: agreed }: TaskRow,
        { quota, detail, upstreamCost }: SettledCost,
      ) {
        // A request that failed although its task was accepted has paid nothing yet; what was agreed is due all the same.
        const due = paid === 0n ? (agreed ?? undefined) : undefined
        const money = {
          requestId: request_id,
          taskId: task_id,
          quota: quota ?? due,
          detail: JSON.parse(storedJson({ ...detail, task_id })),
          upstreamCost,
        }
        const { charged, quota: cost, shortfall } = await ledger.tasks.final(money, trx)
        if (shortfall > 0n)
          log.warn({ requestId: request_id, shortfall }, 'a task settled into debt')
        await tasksOf(trx)
          .where({ id: row.id } as never)
          .update({ charged: String(charged), cost: String(cost) } as never)
      }
    })
    return isOurs || late(row, end)
  }

  /** Its hold is gone: nobody paid, and nothing is paid back. */
  function uncharged(trx: Knex, { id, task_id: task }: TaskRow) {
    log.error({ task }, 'a task ended whose hold is gone; nobody paid for it')
    return tasksOf(trx)
      .where({ id } as never)
      .update({ charged: '0', cost: '0' } as never)
  }

  /** A success behind the refund is kept, and charged to nobody (M6). Never the end. */
  async function late(row: TaskRow, end: TaskEnd): Promise<false> {
    if (end.state !== 'succeeded') return false
    const at = new Date(clock.now())
    const kept = keptOf(row, end)
    const { results, raw } = endedValues(row, end, { kept, at })
    const isNoted = await knex.transaction(async (trx) => {
      const [noted] = await tasksOf(trx)
        .where({ id: row.id, late_success: false, billing: 'final' } as never)
        .whereIn('state', ['failed', 'unknown'])
        .update({ late_success: true, results, raw, updated_at: at } as never)
        .returning<TaskRow[]>('*')
      if (noted === undefined) return false
      if (kept.bytes.length > 0) await storeBytes(trx, noted.id, kept.bytes)
      await noteReport(trx, noted, 'task.succeeded_late')
      return true
    })
    if (isNoted) log.warn({ task: row.task_id }, 'a task succeeded after it was paid back')
    return false
  }
}

/** A task that failed costs nothing, whatever its channel settles, unless it may have been made. */
function costIn(
  row: TaskRow,
  { state, made, reason = '', secrets, chargeStands }: TaskEnd,
  { channels, pricing }: EndingDependencies,
): SettledCost {
  if (state === 'failed') {
    const detail = { reason: keptReason(reason, unshownOf(row, secrets)) }
    return chargeStands === true ? { detail } : { quota: 0n, detail, upstreamCost: 0n }
  }
  const channel = channels.get(row.channel_id)
  // Tasks from before the channel had the setting follow it as it is now (CHAN-3).
  const isOff = row.delta_off ?? (channel !== undefined && deltaIsOff(channel))
  const cost = costOf(row, keptMade(made), pricing)
  return {
    ...(isOff ? { detail: {} } : cost),
    upstreamCost: cost.usage && upstreamCostOf(row, cost.usage, { channel, pricing }),
  }
}

/** By the terms of the channel as they are now; it charges for what was made, whatever the client pays. */
function upstreamCostOf(
  { model, upstream_model }: TaskRow,
  usage: Usage,
  { channel, pricing }: { channel: Channel | undefined; pricing: EndingDependencies['pricing'] },
): bigint | undefined {
  if (channel?.costTerms === undefined) return undefined
  const query = { terms: channel.costTerms, requestedModel: model, upstreamModel: upstream_model }
  return pricing.current().upstreamCost?.(query, usage)
}

function keptOf(row: TaskRow, { results = [], secrets }: TaskEnd): KeptResults {
  return keptResults(results, unshownOf(row, secrets))
}

function endedValues(
  row: TaskRow,
  end: TaskEnd,
  { kept, at }: { readonly kept: KeptResults; readonly at: Date },
) {
  const { secrets = [], state, word, reason, raw } = end
  const made = keptMade(end.made)
  const unshown = unshownOf(row, secrets)
  // What only the channel's key opens is no more shown here than among the results.
  const keyed = kept.results.flatMap(({ keyed, url }) =>
    keyed === true && url !== undefined ? url : [],
  )
  return {
    state,
    word: keptWord(word ?? row.word, unshown),
    percent: 100,
    reason: state === 'failed' ? keptReason(reason, unshown) : (kept.missing ?? ''),
    results: storedJson(kept.results),
    raw: storedJson(keptAnswer(raw, { ...unshown, secrets: [...secrets, ...keyed] })),
    ...(made !== undefined && { made: storedJson(made) }),
    billing: 'final',
    started_at: row.started_at ?? at,
    finished_at: at,
    updated_at: at,
    poll_at: null,
    deadline_at: null,
    poll_failures: 0,
  }
}

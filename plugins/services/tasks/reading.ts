/** Tasks as people and clients read them. */
import type { Knex } from 'knex'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Adapter } from '../../../kernel/contract/provider.js'
import type { TaskQuantities } from '../../../kernel/contract/task.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { containing, namesLike } from '../../../kernel/toolkit/service/index.js'
import type { Pricing } from '../pricing/index.js'
import type { TaskStorage } from '../task-storage/index.js'
import type { Asking } from './asking.js'
import { shownId } from './line.js'
import { type AddressOf, isTaskId, recordOf, type StateRow, type TaskRow, tasksOf } from './rows.js'
import { type StoredRow, storedOf, storedResult } from './stored-rows.js'
import type { TaskDetails, TaskListQuery, TaskPage, TaskQuery, TaskRecord } from './tasks.js'

export interface ReadingDependencies {
  readonly knex: Knex
  readonly addressOf: AddressOf
  readonly asking: Pick<Asking, 'owner'>
  readonly pricing: Pick<Pricing, 'ofTerms'>
  readonly storage: Pick<TaskStorage, 'days'>
  readonly retentionDays: () => number
}

const namedMax = 100
const countedMax = 10_000

export function createReading(dependencies: ReadingDependencies) {
  const { knex, addressOf, asking, pricing, storage, retentionDays } = dependencies

  async function rowOf(taskId: string, userId?: number): Promise<TaskRow> {
    if (!isTaskId(taskId)) throw new Refusal('task_not_found', { task: shownId(taskId) })
    const query = tasksOf(knex).where({ task_id: taskId } as never)
    if (userId !== undefined) query.where({ user_id: userId, hidden: false } as never)
    const row = await query.first<TaskRow | undefined>()
    if (row === undefined) throw new Refusal('task_not_found', { task: shownId(taskId) })
    return row
  }

  /** Names the origin by its public id. */
  async function recorded(row: TaskRow): Promise<TaskRecord> {
    if (row.origin_id === null) return recordOf(row, addressOf)
    const origin = await knex('tasks').where({ id: row.origin_id }).first('task_id')
    return recordOf(row, addressOf, origin?.task_id)
  }

  async function allRecorded(rows: readonly TaskRow[]): Promise<readonly TaskRecord[]> {
    const ids = rows.map(({ origin_id: id }) => id).filter((id) => id !== null)
    const origins: Pick<TaskRow, 'id' | 'task_id'>[] =
      ids.length === 0
        ? []
        : await knex('tasks')
            .whereIn('id', ids as never)
            .select('id', 'task_id')
    const names = new Map(origins.map(({ id, task_id }) => [id, task_id]))
    return rows.map((row) =>
      recordOf(row, addressOf, row.origin_id === null ? undefined : names.get(row.origin_id)),
    )
  }

  return {
    rowOf,
    recorded,
    find: async (userId: number, taskId: string) => recorded(await rowOf(taskId, userId)),
    async findAll(userId: number, taskIds: readonly string[]): Promise<readonly TaskRecord[]> {
      const wanted = taskIds.filter(isTaskId).slice(0, namedMax)
      const rows: TaskRow[] = await tasksOf(knex)
        .where({ user_id: userId, hidden: false } as never)
        .whereIn('task_id', wanted as never)
      const byId = new Map((await allRecorded(rows)).map((record) => [record.taskId, record]))
      return wanted.flatMap((id) => byId.get(id) ?? [])
    },
    async page(query: TaskQuery): Promise<TaskPage> {
      const { page, pageSize } = query
      const models = query.model ? await modelsHolding(knex, query.model) : undefined
      const found = () => filtered(knex, query, models)
      const [counted] = await knex
        .from(inOrder(found(), query).select(knex.raw('1')).limit(countedMax).as('found'))
        .count<{ total: bigint }[]>({ total: '*' })
      const total = Number(counted?.total ?? 0)
      const offset = (page - 1) * pageSize
      if (offset >= total) return { items: [], total }
      const cut = inOrder(found(), query).select('t.*').offset(offset).limit(pageSize).as('t')
      const rows: (TaskRow & Named)[] = await inOrder(knex.from(cut), query)
        .join('users as u', 'u.id', 't.user_id')
        .leftJoin('channels as c', 'c.id', 't.channel_id')
        .select('t.*', 'u.username', 'c.name as channel_name')
      const items = rows.map((row) => ({
        ...recordOf(row, addressOf),
        ...{ username: row.username, channelId: row.channel_id },
        ...{ channelName: row.channel_name ?? '', lateSuccess: row.late_success },
      }))
      return { items, total }
    },
    async list({ userId, operation, after, oldestFirst = false, limit }: TaskListQuery) {
      const query = tasksOf(knex).where({ user_id: userId, operation, hidden: false } as never)
      if (after !== undefined) {
        const { id } = await rowOf(after, userId)
        query.where('id', oldestFirst ? '>' : '<', id as never)
      }
      // One more than is shown: whether there are more.
      const rows: TaskRow[] = await query
        .orderBy('id', oldestFirst ? 'asc' : 'desc')
        .limit(limit + 1)
      const tasks = await allRecorded(rows.slice(0, limit))
      return { tasks, hasMore: rows.length > limit }
    },
    async details(taskId: string): Promise<TaskDetails> {
      const row = await rowOf(taskId)
      const [user, channel, history, stored] = await Promise.all([
        knex('users').where({ id: row.user_id }).first('username'),
        knex('channels').where({ id: row.channel_id }).first('name'),
        knex<StateRow>('task_states')
          .where({ task: row.id } as never)
          .orderBy('id')
          .limit(500),
        storedOf(knex)
          .where({ task: row.id } as never)
          .orderBy('result'),
      ])
      const owner = row.upstream_ref === null ? 'gone' : await asking.owner(row)
      const isHeld = typeof owner !== 'string'
      const times = {
        ...{ fileDays: storage.days(), taskDays: retentionDays() },
        finishedAt: row.finished_at,
      }
      return {
        ...(await recorded(row)),
        username: user?.username ?? '',
        ...(row.token_id !== null && { tokenId: row.token_id }),
        ...{ channelId: row.channel_id, channelName: channel?.name ?? '', keyId: row.key_id },
        reachable: isHeld,
        ...{ upstreamModel: row.upstream_model, upstreamRef: row.upstream_ref ?? '' },
        ...{ lateSuccess: row.late_success, pollFailures: row.poll_failures },
        nextPollAt: row.poll_at?.getTime() ?? 0,
        deadlineAt: row.deadline_at?.getTime() ?? 0,
        cancellable: isHeld && row.billing === 'charged' && isCancellable(owner.adapter, row),
        history: history.map(({ state, word, reason, at }) => ({
          ...{ state, word, reason, at: at.getTime() },
        })),
        stored: (stored as readonly StoredRow[]).map((file) => storedResult(file, times)),
        arithmetic: arithmeticOf(row, pricing),
      }
    },
  }
}

function modelsHolding(knex: Knex, text: string) {
  return namesLike(knex, { table: 'tasks', column: 'model' }, containing(text))
}

function isCancellable({ cancel, cancelsOnlyQueued }: Adapter, { state }: TaskRow): boolean {
  return cancel !== undefined && (cancelsOnlyQueued !== true || state === 'queued')
}

interface Named {
  readonly username: string
  readonly channel_name: string | null
}

/** Ids and times go up together; a stretch of time is found by its times alone. */
function inOrder(found: Knex.QueryBuilder, { from, to }: TaskQuery): Knex.QueryBuilder {
  const byTime = from !== undefined || to !== undefined
  return byTime
    ? found.orderBy('t.created_at', 'desc').orderBy('t.id', 'desc')
    : found.orderBy('t.id', 'desc')
}

/** @param models those that hold the text; undefined: too many to name */
function filtered(knex: Knex, query: TaskQuery, models?: readonly string[]): Knex.QueryBuilder {
  const found = knex('tasks as t')
  if (query.userId !== undefined) found.where({ 't.user_id': query.userId, 't.hidden': false })
  if (query.username) {
    found.whereIn('t.user_id', knex('users').where('username', query.username).select('id'))
  }
  if (query.taskId) found.where('t.task_id', query.taskId)
  if (query.channelId !== undefined) found.where('t.channel_id', query.channelId)
  for (const field of ['platform', 'operation', 'action', 'state'] as const) {
    const value = query[field]
    if (value) found.where(`t.${field}`, value)
  }
  if (models !== undefined) found.whereIn('t.model', models)
  else if (query.model) found.whereILike('t.model', containing(query.model))
  if (query.from) found.where('t.created_at', '>=', new Date(query.from * 1000))
  if (query.to) found.where('t.created_at', '<=', new Date(query.to * 1000))
  return found
}

/** By the price the task was admitted with; nothing where that cannot be read any more. */
function arithmeticOf(
  { terms, requested, made, cost, charged }: TaskRow,
  pricing: Pick<Pricing, 'ofTerms'>,
): TaskDetails['arithmetic'] {
  if (terms === null || requested === null) return {}
  const explained = (quantities: TaskQuantities): JsonObject | undefined => {
    try {
      return pricing.ofTerms(terms).explain({ ...quantities })
    } catch {
      return undefined
    }
  }
  const first = explained(requested)
  const isCorrected = made !== null && cost !== null && cost > 0n && cost !== charged
  const last = isCorrected ? explained(together(requested, made)) : undefined
  return { ...(first && { charged: first }), ...(last && { cost: last }) }
}

function together(requested: TaskQuantities, made: Partial<TaskQuantities>): TaskQuantities {
  return {
    counts: { ...requested.counts, ...made.counts },
    dimensions: { ...requested.dimensions, ...made.dimensions },
  }
}

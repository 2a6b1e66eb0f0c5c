/** A month of usage that is summed already, so that charts have something to show: by user, model and hour. */
import type { TestGateway } from '../kit/gateway.js'

const hourMs = 3_600_000
/** It begins within the last 30 days of the calendar, whatever the hour. */
const hours = 24 * 28

interface Usage {
  readonly model: string
  readonly userId: number
  /** Quota in its busiest hour. */
  readonly most: number
}

const usual: readonly Usage[] = [
  { model: 'claude-sonnet-4-5', userId: 1, most: 92_000 },
  { model: 'gpt-5.2', userId: 1, most: 61_000 },
  { model: 'gemini-3-pro', userId: 1, most: 37_000 },
  { model: 'gpt-4o-mini', userId: 1, most: 9_000 },
  { model: 'text-embedding-3-large', userId: 1, most: 1_200 },
]

export interface History {
  /** Of root and over everybody, in all. */
  readonly own: bigint
  readonly all: bigint
}

/** Ends two hours ago: what comes now is on top of it. */
export async function addHistory(
  { gateway }: TestGateway,
  others: readonly Usage[] = [],
): Promise<History> {
  const { knex } = gateway.service('database')
  const last = Math.floor(Date.now() / hourMs - 2) * hourMs
  const rows = [...usual, ...others].flatMap((usage, at) =>
    Array.from({ length: hours }, (_, back) => rowOf(usage, at, last - back * hourMs)),
  )
  const models = [...usual, ...others].map(({ model }) => model)
  await knex.batchInsert(
    'usage_hours',
    rows.map((row) => ({ ...row, channel_id: 1, group_name: 'default' })),
    500,
  )
  const ofAll = [...new Set(models)].flatMap((model) => summedByHour(rows, model))
  await knex.batchInsert('usage_model_hours', ofAll, 500)
  const end = new Date(last + hourMs)
  await knex('usage_mark').update({ rolled_until: end, days_from: end })
  const sum = (found: typeof rows) => found.reduce((total, { quota }) => total + BigInt(quota), 0n)
  return { own: sum(rows.filter(({ user_id }) => user_id === 1)), all: sum(rows) }
}

/** Busy by day, quiet by night and at weekends. */
function rowOf({ model, userId, most }: Usage, at: number, ms: number) {
  const hour = new Date(ms)
  const byDay = 0.25 + 0.75 * Math.max(0, Math.sin(((hour.getUTCHours() - 5) / 15) * Math.PI))
  const byWeek = hour.getUTCDay() % 6 === 0 ? 0.35 : 1
  const uneven = 0.75 + 0.25 * Math.sin(ms / hourMs / (at + 2))
  const quota = Math.round(most * byDay * byWeek * uneven)
  return {
    hour,
    user_id: userId,
    model_name: model,
    count: Math.ceil(quota / 900),
    quota,
    prompt_tokens: quota * 2,
    completion_tokens: Math.round(quota / 3),
  }
}

type Row = ReturnType<typeof rowOf>

function summedByHour(rows: readonly Row[], model: string) {
  const byHour = new Map<number, Omit<Row, 'user_id'>>()
  for (const { user_id: _, ...row } of rows.filter(({ model_name }) => model_name === model)) {
    const known = byHour.get(row.hour.getTime())
    const sum = (name: 'count' | 'quota' | 'prompt_tokens' | 'completion_tokens') =>
      row[name] + (known?.[name] ?? 0)
    byHour.set(row.hour.getTime(), {
      ...row,
      count: sum('count'),
      quota: sum('quota'),
      prompt_tokens: sum('prompt_tokens'),
      completion_tokens: sum('completion_tokens'),
    })
  }
  return [...byHour.values()]
}

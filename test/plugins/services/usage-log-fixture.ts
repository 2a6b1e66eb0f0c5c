/** A usage log over a database of its own: rows added by hand, sums made when reported. */
import type { Test as TapTest } from 'tap'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { FailedRequest } from '../../../kernel/contract/services/traffic.js'
import { createTraffic } from '../../../kernel/http/traffic.js'
import type { Options } from '../../../plugins/services/options/index.js'
import createUsageLog, {
  type LogQuery,
  type UsageLog,
} from '../../../plugins/services/usage-log/index.js'
import { FakeClock } from '../../kit/clock.js'
import { testDatabase } from '../../kit/database.js'
import { quietLog } from '../../kit/fakes.js'
import { settingsOf } from '../management/management-fixture.js'

/** Unix milliseconds; long enough ago to be summed. */
export const start = Date.UTC(2024, 0, 1)

export interface UsageFixture {
  readonly database: Database
  readonly service: UsageLog
  readonly clock: FakeClock
  /** What the schedule was queried to run, and how often. */
  readonly jobs: { readonly ms: number; readonly run: () => Promise<void> | void }[]
  /** Minutes between two sums, as the option states. */
  interval: string
  /** Whether failed requests are logged, as the option states. */
  errors: boolean
  /** A relayed request failed. */
  fail(failed: FailedRequest): void
  /** A charge of nobody at second `n` of the year, unless the fields say otherwise. */
  add(id: string, fields?: object): Promise<void>
  /** Request ids of the first page. */
  ids(query: Partial<LogQuery>): Promise<readonly string[]>
  /** No rows, no sums. */
  empty(): Promise<void>
}

export async function usageFixture(t: Pick<TapTest, 'teardown'>): Promise<UsageFixture> {
  return usageFixtureOver(await testDatabase(t))
}

const tables = [
  ...['usage_log', 'usage_keys', 'usage_hours', 'usage_model_hours', 'usage_model_days'],
  ...['usage_user_days', 'usage_user_months', 'usage_user_model_days', 'usage_channel_days'],
  ...['usage_group_days', 'usage_stat_days', 'usage_stat_hours', 'usage_error_days', 'usage_tops'],
  ...['usage_top_days', 'usage_key_days'],
] as const

/** The same over a database somebody else has opened. */
export async function usageFixtureOver(database: Database): Promise<UsageFixture> {
  const { knex } = database
  const clock = new FakeClock()
  const jobs: UsageFixture['jobs'] = []
  const every = (_: string, ms: number, run: () => Promise<void> | void) => {
    jobs.push({ ms, run })
    return { stop() {}, async now() {} }
  }
  const options = {
    list: () => [{ key: 'DataExportInterval', value: gateway.interval }],
  } as unknown as Options
  const traffic = createTraffic(quietLog)
  const service = createUsageLog({
    settings: { ...settingsOf({}), boolean: () => gateway.errors },
    clock,
    log: quietLog,
    services: { database, schedule: { every, everyLeased: every }, options, traffic },
  })
  await service.start?.()
  const gateway: UsageFixture = {
    database,
    service,
    clock,
    jobs,
    interval: '5',
    errors: true,
    fail: traffic.failed,
    async add(id, fields = {}) {
      const created_at = new Date(start + Number(id.replace(/\D/g, '')) * 1_000)
      await knex('usage_log').insert({ request_id: id, type: 2, user_id: 1, created_at, ...fields })
    },
    async ids(query) {
      const { items } = await service.page({ page: 1, pageSize: 100, ...query })
      return items.map((item) => item.request_id)
    },
    async empty() {
      for (const table of tables) await knex(table).delete()
      await knex('facts').where('name', 'usage_log.trimmed_before').delete()
      await knex('usage_mark').update({
        rolled_until: knex.raw("'-infinity'"),
        days_from: knex.raw("'-infinity'"),
        stats_from: knex.raw("'-infinity'"),
        key_days_from: knex.raw("'-infinity'"),
      })
    },
  }
  return gateway
}

/** Rows of failed requests: what stands in them, who sees what of it, and that neither memory nor disk is filled by them. */
import t from 'tap'
import type { AttemptTrace } from '../../../kernel/contract/line/attempt.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { FailedRequest } from '../../../kernel/contract/services/traffic.js'
import { createErrorLog } from '../../../plugins/services/usage-log/error-log.js'
import { FakeClock } from '../../kit/clock.js'
import { planned } from '../../kit/line-fakes.js'
import { RecordingLog } from '../management/management-fixture.js'
import { usageFixture } from './usage-log-fixture.js'

const clientError = {
  status: 502,
  message: 'The upstream failed: it said so.',
  type: 'upstream_error',
  param: '',
  code: 'upstream_error',
}

let requests = 0

function failed(
  over: Partial<FailedRequest['state']> = {},
  attempts: readonly AttemptTrace[] = [],
) {
  requests += 1
  const state = {
    ...planned(),
    requestId: `req_${requests}` as FailedRequest['state']['requestId'],
    token: { id: 3, name: 'laptop', group: '', crossGroupRetry: false },
    ...over,
  }
  return { state, clientError, attempts }
}

function attempt(channelId: number, group: string): AttemptTrace {
  const failure = { blame: 'upstream', status: 500, code: 'upstream_error', message: '' } as const
  return { channelId, keyId: 1, group, position: 0, failure }
}

/** An error log over a database that only remembers, or fails. */
function errorLog() {
  const clock = new FakeClock()
  const log = new RecordingLog()
  const batches: { request_id: string; detail: { further_errors?: number } }[][] = []
  const state = { down: false }
  const knex = {
    async raw(_: string, [rows]: readonly [string]) {
      if (state.down) throw new Error('connect ECONNREFUSED')
      batches.push(JSON.parse(rows))
    },
  }
  const errors = createErrorLog({ database: { knex } as unknown as Database, clock, log })
  return { errors, clock, log, batches, state }
}

t.test('a failed request has a row that costs nothing', async (t) => {
  const gateway = await usageFixture(t)
  const { service, database, clock } = gateway
  const knex = database.knex
  const [one] = await knex('channels').insert({ name: 'one', type: 14 }).returning('id')
  const [two] = await knex('channels').insert({ name: 'two', type: 1 }).returning('id')
  const chain = [attempt(one.id, 'vip'), attempt(two.id, 'default')]
  clock.advance(1_500)
  gateway.fail(failed({ receivedAt: clock.now() - 1_200, path: '/v1/messages' }, chain))
  await service.flush()
  const { items } = await service.page({ page: 1, pageSize: 10, type: 5 })
  t.match(items, [
    {
      type: 5,
      content: clientError.message,
      user_id: 1,
      username: 'ada',
      token_id: 3,
      token_name: 'laptop',
      model_name: 'test-model',
      quota: 0,
      prompt_tokens: 0,
      completion_tokens: 0,
      use_time: 2,
      is_stream: true,
      channel: two.id,
      channel_name: 'two',
      group: 'default',
      ip: '127.0.0.1',
    },
  ])
  t.match(JSON.parse(items[0]!.other), {
    error_type: 'upstream_error',
    error_code: 'upstream_error',
    status_code: 502,
    channel_id: two.id,
    channel_name: 'two',
    channel_type: 1,
    request_path: '/v1/messages',
    admin_info: {
      attempts: [
        { channel: one.id, channel_name: 'one', group: 'vip', status: 500, code: 'upstream_error' },
        { channel: two.id, channel_name: 'two' },
      ],
    },
  })
  t.same(JSON.parse(items[0]!.other).admin_info.use_channel, [one.id, two.id])

  await t.test('its owner learns nothing of channels', async (t) => {
    const { items } = await service.page({ page: 1, pageSize: 10, userId: 1 })
    t.match(items, [{ type: 5, content: clientError.message, channel: 0, channel_name: '' }])
    const other = JSON.parse(items[0]!.other)
    t.match(other, { error_code: 'upstream_error', status_code: 502 })
    t.notMatch(Object.keys(other).join(), /channel|attempts|admin/)
    t.equal((await service.ofToken({ id: 3, userId: 1 })).length, 1)
  })

  await t.test('no sum counts it, before rows are summed or after', async (t) => {
    await gateway.add('r1', { created_at: new Date(), quota: 7, model_name: 'test-model' })
    const hour = Math.floor(Date.now() / 1000)
    for (const state of ['not summed', 'summed']) {
      t.match(await service.totals({}), { quota: 7n }, state)
      const chart = { step: 'hour', from: hour - 7_200, to: hour + 3_600 } as const
      t.match(await service.chart({ ...chart, by: 'model' }), [{ count: 1, quota: 7n }], state)
      t.match(await service.chart({ ...chart, by: 'user' }), [{ count: 1, quota: 7n }], state)
      t.equal((await service.channelUsage([two.id])).get(two.id) ?? 0n, 0n, state)
      t.equal((await service.page({ page: 1, pageSize: 5, model: 'test%' })).total, 2, state)
      await knex.raw("UPDATE usage_log SET created_at = created_at - interval '3 minutes'")
      await service.roll()
    }
    t.match(await service.totals({}), { requestsPerMinute: 0 })
  })

  await t.test('it is trimmed as every row', async (t) => {
    await service.trim(Math.floor(Date.now() / 1000) - 60)
    t.equal((await service.page({ page: 1, pageSize: 5, type: 5 })).total, 0)
  })
})

t.test('whatever the client sent fits into a row', async (t) => {
  const { service, fail } = await usageFixture(t)
  const body = {
    kind: 'json',
    value: { model: `\0\ud800${'é'.repeat(9_000)}`, stream: true },
  } as const
  fail(failed({ body: { kind: 'none' }, model: undefined, token: undefined }))
  await service.flush()
  fail(failed({ body, model: undefined, stream: undefined, route: undefined }))
  await service.flush()
  const { items } = await service.page({ page: 1, pageSize: 10 })
  t.match(
    items.map(({ model_name, is_stream, token_id }) => [model_name, is_stream, token_id]),
    [
      [` \ufffd${'é'.repeat(254)}`, true, 3],
      ['', true, 0],
    ],
  )
})

t.test('switched off nothing is noted', async (t) => {
  const gateway = await usageFixture(t)
  gateway.errors = false
  gateway.fail(failed())
  gateway.errors = true
  gateway.fail(failed())
  await gateway.service.flush()
  t.equal((await gateway.service.page({ page: 1, pageSize: 10 })).total, 1)
})

t.test('rows are written together, a second after the first', async (t) => {
  const { errors, clock, batches } = errorLog()
  errors.note(failed())
  clock.advance(900)
  errors.note(failed())
  await Promise.resolve()
  t.equal(batches.length, 0)
  clock.advance(100)
  await errors.flush()
  t.same(
    batches.map((batch) => batch.length),
    [2],
  )
  errors.note(failed())
  await errors.stop()
  t.equal(batches.length, 2, 'what waits is written on stop')
  t.equal(clock.pending, 0)
})

t.test('a caller has so many rows a minute, and one for all that are more', async (t) => {
  const { errors, clock, batches } = errorLog()
  for (let turn = 0; turn < 50; turn++) errors.note(failed())
  errors.note(failed({ token: undefined }))
  clock.advance(1_000)
  await errors.flush()
  t.equal(batches.flat().length, 31, 'another caller has its own')
  clock.advance(59_000)
  errors.note(failed())
  await errors.flush()
  const rest = batches.flat().slice(31)
  t.same(
    rest.map(({ detail }) => detail.further_errors),
    [19, undefined],
    'the minute after is counted anew',
  )
  await errors.stop()
})

t.test('more than a thousand that wait are dropped, and that is stated once', async (t) => {
  const { errors, batches, log } = errorLog()
  for (let id = 1; id <= 1_010; id++) {
    errors.note(failed({ token: { id, name: '', group: '', crossGroupRetry: false } }))
  }
  await errors.flush()
  t.equal(batches.flat().length, 1_000)
  t.same(log.lines, ['requests failed faster than the usage log can tell'])
  await errors.stop()
})

t.test('a database that fails loses these rows alone, and that is stated', async (t) => {
  const { errors, batches, log, state } = errorLog()
  state.down = true
  errors.note(failed())
  await errors.flush()
  t.same(log.lines, ['failed requests are missing from the usage log'])
  state.down = false
  errors.note(failed())
  await errors.stop()
  t.equal(batches.flat().length, 1)
})

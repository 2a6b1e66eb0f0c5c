/** How fast models were and how available, of the last day: what the rows say, whoever is to blame. */
import t from 'tap'
import { usageFixture } from './usage-log-fixture.js'

const gateway = await usageFixture(t)
const { database, service, clock } = gateway
const hourMs = 3_600_000
/** The hour that began last. */
const hour = Math.floor(clock.now() / hourMs) * hourMs

let count = 0
async function row(hoursAgo: number, fields: object): Promise<void> {
  count += 1
  await database.knex('usage_log').insert({
    request_id: `r${count}`,
    created_at: new Date(hour - hoursAgo * hourMs + 1_000),
    ...{ type: 2, user_id: 1, model_name: 'm', group_name: 'g', quota: 1 },
    ...fields,
  })
}

t.beforeEach(() => gateway.empty())

const charge = {
  use_time_ms: 3_000,
  is_stream: true,
  completion_tokens: 100,
  detail: { frt: 1_000 },
}
const error = (status_code: number, more = {}) => ({ type: 5, detail: { status_code, ...more } })

t.test('requests that fail by no fault of their own count against a model', async (t) => {
  for (let n = 0; n < 3; n += 1) await row(2, charge)
  await row(2, error(502))
  await row(2, error(400))
  await row(2, error(429))
  await row(2, error(401))
  await row(3, error(503, { further_errors: 3 }))
  await row(30, error(500))
  await row(1, { ...charge, model_name: 'other' })
  await service.roll()
  const speeds = await service.modelSpeeds(['m', 'never'])
  t.strictSame([...speeds.keys()], ['m'], 'what was asked for and called')
  const { tokensPerSecond, firstTokenMs = 0, hours } = speeds.get('m')!
  t.equal(tokensPerSecond, 50)
  t.ok(Math.abs(firstTokenMs - 1_000) < 100)
  t.equal(hours.length, 24)
  const at = (hoursAgo: number) => hours.find((one) => one.at === hour / 1_000 - hoursAgo * 3_600)
  t.match(at(2), { requests: 3, failed: 1 })
  t.match(at(3), { requests: 0, failed: 4 })
  t.match(at(5), { requests: 0, failed: 0 })
})

t.test('without rows of failures nobody knows how available a model was', async (t) => {
  await row(2, charge)
  await service.roll()
  gateway.errors = false
  const found = (await service.modelSpeeds(['m'])).get('m')
  gateway.errors = true
  t.equal(found?.tokensPerSecond, 50)
  t.ok(found?.hours.every(({ requests, failed }) => requests === undefined && failed === undefined))
})

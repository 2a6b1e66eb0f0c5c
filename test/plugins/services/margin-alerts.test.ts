/** Notices of low margins: once for each channel and day, whatever comes of them, and none of what is no news. */
import t, { type Test } from 'tap'
import createMarginAlerts from '../../../plugins/services/margin-alerts/index.js'
import type { DayMargin } from '../../../plugins/services/usage-log/index.js'
import { settingsOf } from '../management/management-fixture.js'
import { noticesFixture } from './notices-fixture.js'

const gateway = await noticesFixture(t)
const { fixture, sent, rows, play, quiet } = gateway
const { database, clock } = fixture
const { knex } = database
const dayMs = 86_400_000
const dollar = 1_000_000_000n

const root = await fixture.person('root', 100)

function margin(channelId: number, revenue: bigint, cost: bigint): DayMargin {
  const name = channelId === 0 ? '' : `channel ${channelId}`
  return { channelId, name, revenue, cost, margin: revenue - cost } as DayMargin
}

const loss = (channelId: number) => margin(channelId, dollar, 2n * dollar)

async function start(t: Test, settings: object = {}) {
  await gateway.clear()
  await knex('margin_notices').delete()
  await knex('users').where({ id: root.userId }).update({ email: 'root@example.com', setting: {} })
  play(() => ({ kind: 'delivered' }))
  const one = await gateway.process(t, { limit_count: 2 })
  /** By day since the epoch. */
  const days = new Map<number, readonly DayMargin[]>()
  const service = () =>
    createMarginAlerts({
      settings: settingsOf({ notices: true, threshold: 0, minimum: 1, ...settings }),
      clock,
      log: fixture.log,
      services: {
        database,
        schedule: { every: () => idle, everyLeased: () => idle },
        'usage-log': { dayMargins: async (day: number) => days.get(day) ?? [] },
        notifications: one.notifications,
      },
    } as never)
  const today = () => Math.floor(clock.now() / dayMs) * 86_400
  const set = (...low: readonly DayMargin[]) => days.set(today(), low)
  const contents = () => sent.map(({ notice }) => filled(notice))
  return { one, set, service, contents, look: () => service().look() }
}

const idle = { stop() {}, now: async () => {} }

function filled({ content, values }: { content: string; values: readonly string[] }): string {
  const rest = [...values]
  return content.replaceAll('{{value}}', () => rest.shift() ?? '?')
}

t.test('root is notified of a channel once a day, and again on the next', async (t) => {
  const { one, set, look, contents } = await start(t)
  set(loss(3))
  await look()
  await look()
  await quiet(one)
  const day = new Date(clock.now()).toISOString().slice(0, 10)
  t.strictSame(contents(), [
    `On ${day} (UTC) the channel channel 3 (#3) earned $1.00 and its upstream charged $2.00, which leaves -$1.00. ` +
      'Only requests whose cost is known are counted. Check the prices, the group ratios and the cost terms.',
  ])
  clock.advance(dayMs)
  set(loss(3))
  await look()
  await quiet(one)
  t.equal(sent.length, 2)
})

t.test('yesterday is no news once its notice was delivered and deleted', async (t) => {
  const { one, set, look } = await start(t)
  set(loss(3))
  await look()
  await quiet(one)
  clock.advance(dayMs + 1)
  await one.job('trim')
  t.same(await rows(), [])
  await look()
  await quiet(one)
  t.equal(sent.length, 1)
})

t.test('days below the floor and margins that are not low raise nothing', async (t) => {
  const { one, set, look } = await start(t, { minimum: 2, threshold: 10 })
  const cents = dollar / 100n
  set(
    margin(3, 199n * cents, 199n * cents),
    margin(4, 10n * dollar, 9n * dollar),
    margin(5, 0n, 199n * cents),
  )
  await look()
  await quiet(one)
  t.equal(sent.length, 0, 'exactly at the threshold is not below it')
  set(margin(4, 10n * dollar, 9n * dollar + 1n), margin(5, 0n, 2n * dollar))
  await look()
  await quiet(one)
  t.equal(sent.length, 1)
})

t.test('a margin that recovers raises nothing, nor does it when it is low again', async (t) => {
  const { one, set, look } = await start(t)
  for (const sums of [loss(3), margin(3, 3n * dollar, dollar), loss(3)]) {
    set(sums)
    await look()
  }
  await quiet(one)
  t.equal(sent.length, 1)
})

t.test('many low channels are one notice, so that no limit leaves any out', async (t) => {
  const { one, set, look, contents } = await start(t)
  set(loss(0), ...Array.from({ length: 30 }, (_, n) => loss(n + 1)))
  await look()
  await quiet(one)
  const [content = ''] = contents()
  t.equal(sent.length, 1)
  t.match(content, /, all channels together: earned \$1\.00, upstream \$2\.00, left -\$1\.00/)
  t.match(content, /channel channel 19 \(#19\)/)
  t.match(content, /and 11 more/)
  t.notMatch(content, /\?|undefined/)
  set(loss(0), loss(1), loss(99))
  await look()
  await quiet(one)
  t.match(contents()[1], /the channel channel 99/)
})

t.test(
  'what cannot be delivered is tried as every notice is, and never written again',
  async (t) => {
    const { one, set, look } = await start(t)
    play(() => ({ kind: 'refused', reason: 'no such mailbox' }))
    set(loss(3))
    for (let n = 0; n < 3; n += 1) {
      await look()
      await quiet(one)
      clock.advance(3_600_000 / 2)
    }
    t.match(await rows(), [{ type: 'margin_low', state: 'failed', reason: 'no such mailbox' }])
    play(() => ({ kind: 'later', reason: 'busy' }))
    set(loss(4))
    for (let n = 0; n < 20; n += 1) {
      await look()
      await quiet(one)
      clock.advance(600_000)
    }
    t.equal((await rows()).length, 2)
  },
)

t.test('processes that look at once write one notice', async (t) => {
  const { one, set, service } = await start(t)
  set(loss(3), loss(4))
  await Promise.all(Array.from({ length: 5 }, () => service().look()))
  await quiet(one)
  t.equal(sent.length, 1)
})

t.test('nothing is noticed where that is switched off', async (t) => {
  const { one, set, look } = await start(t, { notices: false })
  set(loss(3))
  await look()
  await quiet(one)
  t.equal(sent.length, 0)
})

t.test('a person who chose Chinese is written to in Chinese', async (t) => {
  const { one, set, look, contents } = await start(t)
  await knex('users')
    .where({ id: root.userId })
    .update({ setting: { language: 'zh' } })
  set(margin(3, 123_400_000n, dollar + 50_000n))
  await look()
  await quiet(one)
  t.match(
    contents()[0],
    /渠道 channel 3 \(#3\) 收入 \$0\.1234，上游费用 \$1\.0001，毛利 -\$0\.8767。/,
  )
})

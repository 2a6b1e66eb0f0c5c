/** The outbox: what is written is delivered, once where nobody dies, and not before it is true. */
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { low, noticesFixture, type Process } from './notices-fixture.js'

const gateway = await noticesFixture(t)

async function start(t: Test, settings: { readonly limit_count?: number } = {}) {
  await gateway.clear()
  const one = await gateway.process(t, settings)
  const ada = await gateway.fixture.person('ada')
  const { knex } = gateway.fixture.database
  await knex('users').where({ id: ada.userId }).update({ email: 'ada@example.com' })
  return { ...gateway, one, ada, knex, clock: gateway.fixture.clock }
}

t.test('[API-9] a notice goes out once what it tells of is committed', async (t) => {
  const { one, ada, knex, sent, rows, quiet } = await start(t)
  const { notifications } = one
  await t.rejects(
    knex.transaction(async (trx) => {
      await notifications.notify(ada.userId, low, undefined, trx)
      await notifications.mail('bob@example.com', low, trx)
      throw new Error('rolled back')
    }),
  )
  await quiet(one)
  t.same([sent, await rows()], [[], []])
  await knex.transaction(async (trx) => {
    await notifications.notify(ada.userId, low, undefined, trx)
    await notifications.mail('bob@example.com', { ...low, type: 'reset' }, trx)
    t.same(sent, [], 'not within the transaction')
  })
  await quiet(one)
  t.same(sent.map(({ target }) => target.notification_email).sort(), [
    'ada@example.com',
    'bob@example.com',
  ])
  const result = sent.find(({ way, notice }) => way === 'email' && notice.type === low.type)
  t.match(result?.notice, { ...low, timestamp: 1_700_000_000 })
  t.match(await rows(), [
    { state: 'delivered', attempts: 1, payload: '', user_id: ada.userId },
    { state: 'delivered', attempts: 1, payload: '', user_id: null },
  ])
})

t.test('what waits is sealed, for its user alone', async (t) => {
  const { one, ada, knex, rows, play, quiet, fixture, sent } = await start(t)
  play(() => ({ kind: 'later', reason: 'busy' }))
  await one.notifications.notify(ada.userId, low)
  await quiet(one)
  const [row] = await rows()
  t.ok(row?.payload)
  t.notMatch(row?.payload, /canary/)
  const eve = await fixture.person('eve')
  await knex('outbox').update({ user_id: eve.userId, next_at: new Date(0) })
  await quiet(one)
  t.equal(sent.length, 1, 'moved to another user it cannot be opened')
  t.match(await rows(), [{ reason: 'The notice could not be handed over.' }])
})

t.test('a key is reported once, whoever tells it and however often at once', async (t) => {
  const { one, ada, sent, process, quiet, fixture } = await start(t)
  const other = await process(t)
  const tell = ({ notifications }: Process) => notifications.notify(ada.userId, low, 'the-key')
  await Promise.all(Array.from({ length: 20 }, (_, n) => tell(n % 2 === 0 ? one : other)))
  await quiet(one)
  t.equal(sent.length, 1)
  await tell(one)
  const bob = await fixture.person('bob')
  await one.notifications.notify(bob.userId, low, 'the-key')
  await quiet(one)
  t.equal(sent.length, 1, 'of bob there is no address, and ada knows')
})

t.test('processes share the outbox without doubles', async (t) => {
  const { one, sent, process, quiet } = await start(t)
  const others = [await process(t), await process(t)]
  const addresses = Array.from({ length: 60 }, (_, n) => `user${n}@example.com`)
  await Promise.all(addresses.map((address) => one.notifications.mail(address, low)))
  await Promise.all([one, ...others].map(quiet))
  t.same(sent.map(({ target }) => target.notification_email).sort(), [...addresses].sort())
})

t.test('what a process held that died is sent again once its lease is over', async (t) => {
  const { one, ada, sent, quiet, rows, clock, knex } = await start(t)
  // As a process leaves it that sent and then died: claimed, and nothing stated of it.
  const lease_until = new Date(clock.now() + 60_000)
  await knex.transaction(async (trx) => {
    await one.notifications.notify(ada.userId, low, undefined, trx)
    await trx('outbox').update({ lease_until, attempts: 1 })
  })
  await one.job('poll')
  await one.notifications.mail('bob@example.com', low)
  while ((await rows())[1]?.state !== 'delivered') await setImmediate()
  t.equal(sent.length, 1, 'its own, and not the one that is held')
  clock.advance(60_000)
  await quiet(one)
  t.match(await rows(), [{ state: 'delivered', attempts: 2 }, { state: 'delivered' }])
  await knex('outbox').update({ state: 'waiting', attempts: 6, payload: 'kills its reader' })
  await quiet(one)
  t.match(await rows(), [{ state: 'failed', reason: 'It was tried too often.' }, {}])
  t.equal(sent.length, 2)
})

t.test('a notifier that never comes back is left before its lease is over', async (t) => {
  const { one, ada, play, rows, clock } = await start(t)
  const sending = new Promise<void>((resolve) => {
    play(() => {
      resolve()
      return new Promise<never>(() => {})
    })
  })
  await one.notifications.notify(ada.userId, low)
  await sending
  clock.advance(45_000)
  while ((await rows())[0]?.reason === '') await setImmediate()
  t.match(await rows(), [{ state: 'waiting', reason: 'The delivery took too long.' }])
})

t.test(
  '[LIMIT-8] later is later: pauses grow, and a receiver that asks for more gets it',
  async (t) => {
    const { one, ada, sent, play, quiet, rows, clock, knex } = await start(t)
    play(() => ({ kind: 'later', reason: 'busy' }))
    await one.notifications.notify(ada.userId, low)
    const pauses: number[] = []
    for (let n = 1; n < 6; n += 1) {
      await quiet(one)
      const [row] = await rows()
      t.match(row, { state: 'waiting', attempts: n, reason: 'busy' })
      pauses.push((Number(row?.next_at) - clock.now()) / 1000)
      clock.advance(Number(row?.next_at) - clock.now())
    }
    t.same(pauses, [10, 60, 300, 1800, 7200])
    await quiet(one)
    t.match(await rows(), [{ state: 'failed', attempts: 6, reason: 'busy' }])
    t.equal(sent.length, 6)

    await knex('outbox').delete()
    play(() => ({ kind: 'later', reason: 'busy', afterMs: 90_000 }))
    await one.notifications.notify(ada.userId, low)
    await quiet(one)
    t.equal(Number((await rows())[0]?.next_at), clock.now() + 90_000)
    play(() => {
      throw new Error('canary')
    })
    clock.advance(90_000)
    await quiet(one)
    t.match(await rows(), [{ state: 'waiting', reason: 'The notice could not be handed over.' }])
  },
)

t.test(
  'a user gets so many of a kind within a while; mails to addresses are not counted',
  async (t) => {
    const { one, ada, sent, quiet, rows, clock, process } = await start(t, { limit_count: 2 })
    const other = await process(t, { limit_count: 2 })
    const tell = (type: string) => one.notifications.notify(ada.userId, { ...low, type })
    await Promise.all([
      ...[1, 2, 3].map(() => tell('quota_exceed')),
      ...[1, 2, 3].map(() => other.notifications.notify(ada.userId, low)),
    ])
    await tell('channel_update')
    for (let n = 0; n < 3; n += 1) await one.notifications.mail('ada@example.com', low)
    await quiet(one)
    t.equal(sent.length, 2 + 1 + 3)
    const failed = (await rows()).filter(({ state }) => state === 'failed')
    t.equal(failed.length, 4)
    t.match(failed[0], { reason: /^Too many notices: 2 of this kind/, attempts: 0 })
    clock.advance(600_000)
    await tell('quota_exceed')
    await quiet(one)
    t.equal(sent.length, 7)
  },
)

t.test('nobody who cannot be reached is lost silently', async (t) => {
  const { one, ada, fixture, knex, quiet, rows, sent } = await start(t)
  const users = {
    'notification_email must be set.': { email: '' },
    'There is no way "pigeon" to send notices.': { setting: { notify_type: 'pigeon' } },
    'webhook_url must be set.': { setting: { notify_type: 'webhook' } },
    'The account is disabled.': { status: 2 },
    'The account is gone.': { deleted_at: new Date() },
  }
  for (const change of Object.values(users)) {
    const { userId } = await fixture.person('user')
    await knex('users').where({ id: userId }).update(change)
    await one.notifications.notify(userId, low)
  }
  await quiet(one)
  t.same(
    (await rows()).map(({ reason }) => reason),
    Object.keys(users),
  )
  t.same([...new Set((await rows()).map(({ state }) => state))], ['failed'])
  t.same(sent, [])
  await knex('outbox').delete()
  await one.notifications.notify(ada.userId, low)
  await one.notifications.notifyRoot(low)
  await quiet(one)
  t.equal((await rows()).length, 1, 'there is no root to tell')
})

t.test('old rows go, a failed one can be sent anew', async (t) => {
  const { one, ada, play, quiet, rows, clock } = await start(t)
  const { notifications } = one
  await notifications.notify(ada.userId, low)
  await quiet(one)
  play(() => ({ kind: 'refused', reason: 'no' }))
  await notifications.mail('bob@example.com', low)
  await quiet(one)
  const [delivered, failed] = await rows()
  await t.rejects(notifications.retry(String(delivered?.id)), { code: 'conflict' })
  await t.rejects(notifications.retry('99'), { code: 'gone_missing' })
  await t.rejects(notifications.retry('9'.repeat(19)), { code: 'gone_missing' })
  const mine = await notifications.page({ userId: ada.userId, page: 1, pageSize: 10 })
  t.match(mine, { total: 1, items: [{ id: String(delivered?.id), state: 'delivered' }] })
  const all = await notifications.page({ state: 'failed', page: 1, pageSize: 10 })
  t.match(all, { total: 1, items: [{ id: String(failed?.id), reason: 'no', userId: undefined }] })
  clock.advance(86_400_001)
  await one.job('trim')
  t.match(await rows(), [{ id: failed?.id }])
  play(() => ({ kind: 'delivered' }))
  await notifications.retry(String(failed?.id))
  await quiet(one)
  t.match(await rows(), [{ state: 'delivered', attempts: 1 }])
  clock.advance(86_400_001)
  await one.job('trim')
  t.same(await rows(), [])
})

t.test(
  'root hears once of a channel the gateway switched, from however many processes',
  async (t) => {
    const { one, process, fixture, knex, quiet, sent } = await start(t)
    await process(t)
    const root = await fixture.person('root', 100)
    await knex('users').where({ id: root.userId }).update({ email: 'root@example.com' })
    const [{ id }] = await knex('channels').insert({ type: 1, name: 'east' }).returning('id')
    t.equal(await fixture.channels.suspend({ channelId: id }, 'invalid key'), true)
    await quiet(one)
    t.match(sent, [
      { notice: { type: 'channel_update', values: [`east (#${id})`, 'invalid key'] } },
    ])
    t.equal(await fixture.channels.resume({ channelId: id }), true)
    await quiet(one)
    t.equal(sent.length, 2)
    t.match(sent[1]?.notice.title, /is on again$/)
  },
)

/** What users set about their notices. */
import t, { type Test } from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { low, noticesFixture } from './notices-fixture.js'

const gateway = await noticesFixture(t)

async function start(t: Test) {
  await gateway.clear()
  const one = await gateway.process(t)
  const { userId } = await gateway.fixture.person('ada')
  const { notifications } = one
  const { knex } = gateway.fixture.database
  const change = (changes: JsonObject) => notifications.changeSetting(userId, changes)
  const stored = () => knex('users').select('setting', 'secrets').where({ id: userId }).first()
  return { ...gateway, one, notifications, knex, userId, change, stored }
}

t.test('[AUTH-10] secrets come back empty, and what is left out or blank stays', async (t) => {
  const { notifications, userId, change, stored, sent, one, quiet } = await start(t)
  const webhook_url = 'https://hooks.example.com/'
  await change({ notify_type: 'webhook', webhook_url, webhook_secret: 'canary-secret' })
  const read = async () => notifications.settingOf(userId)
  t.match(await read(), {
    values: { notify_type: 'webhook', webhook_url, webhook_secret: '' },
    secrets: ['webhook_secret'],
  })
  const first = await stored()
  t.notOk('webhook_secret' in first.setting)
  t.notMatch(JSON.stringify(first), /canary/)
  for (const changes of [{ language: 'de' }, { webhook_secret: '' }, { webhook_url }]) {
    await change(changes)
    t.same((await stored()).secrets, first.secrets)
  }
  await notifications.notify(userId, low)
  await quiet(one)
  t.match(sent, [{ way: 'webhook', target: { webhook_url, webhook_secret: 'canary-secret' } }])
  await change({ webhook_secret: null, language: null })
  t.match(await read(), { secrets: [] })
  t.same((await stored()).secrets, {})
  t.notOk('language' in (await stored()).setting)
})

t.test(
  '[AUTH-10] a secret that stands in clear still is never shown, serves, and is sealed',
  async (t) => {
    const { one, notifications, knex, userId, change, stored, sent, quiet } = await start(t)
    const ways = { notify_type: 'webhook', webhook_url: 'https://a.example/' }
    const plain = () =>
      knex('users')
        .where({ id: userId })
        .update({ setting: { ...ways, webhook_secret: 'canary-plain' }, secrets: {} })
    await plain()
    const read = await notifications.settingOf(userId)
    t.match(read, { values: { webhook_secret: '' }, secrets: ['webhook_secret'] })
    const delivered = async () => {
      sent.splice(0)
      await notifications.notify(userId, low)
      await quiet(one)
      return sent[0]?.target.webhook_secret
    }
    t.equal(await delivered(), 'canary-plain')

    const { userId: gone } = await gateway.fixture.person('gone')
    const left = { webhook_secret: 'canary-gone' }
    await knex('users').where({ id: gone }).update({ setting: left, deleted_at: new Date() })
    await one.job('seal')
    t.notMatch(JSON.stringify(await knex('users').select('setting', 'secrets')), /canary/)
    t.same((await stored()).setting, ways)
    t.equal(await delivered(), 'canary-plain', 'it is the same secret as before')

    await knex('users')
      .where({ id: userId })
      .update({ setting: { ...ways, webhook_secret: 'canary-old' } })
    await one.job('seal')
    t.notMatch(JSON.stringify(await stored()), /canary/)
    t.equal(
      await delivered(),
      'canary-plain',
      'the sealed one goes before what an older version left',
    )

    await plain()
    await change({ webhook_secret: 'canary-new' })
    t.notMatch(JSON.stringify(await stored()), /canary/)
    t.equal(await delivered(), 'canary-new')
  },
)

t.test('a change touches what it names, beside others’ members of the settings', async (t) => {
  const { knex, userId, change, stored } = await start(t)
  await knex('users')
    .where({ id: userId })
    .update({ setting: { sidebar_modules: '{}' } })
  await Promise.all([
    change({ record_ip_log: true }),
    change({ quota_warning_threshold: 5 }),
    change({ language: 'en' }),
  ])
  t.same((await stored()).setting, {
    ...{ sidebar_modules: '{}', record_ip_log: true },
    ...{ quota_warning_threshold: 5, language: 'en' },
  })
})

t.test('a way is left only with fields it can use', async (t) => {
  const { change, stored } = await start(t)
  const refused = (changes: JsonObject, param: string) =>
    t.rejects(change(changes), { code: 'invalid_field', param }, JSON.stringify(changes))
  await refused({ notify_type: 'webhook' }, 'webhook_url')
  await refused({ webhook_url: 'nonsense' }, 'webhook_url')
  t.same((await stored()).setting, {})
  await change({ notify_type: 'email', webhook_url: '' })
  await change({ notify_type: 'webhook', webhook_url: 'https://a.example/' })
  await refused({ webhook_url: null }, 'webhook_url')
  await change({ notify_type: 'email', webhook_url: null })
})

t.test('a test is sent at once, and states why it was not', async (t) => {
  const { notifications, userId, change, sent, play, rows } = await start(t)
  t.match(await notifications.test(userId), { kind: 'refused', reason: /^notification_email / })
  await change({ notification_email: 'ada@example.com' })
  t.same(await notifications.test(userId), { kind: 'delivered' })
  t.match(sent, [{ way: 'email', notice: { type: 'test' } }])
  play(() => ({ kind: 'refused', reason: 'no' }))
  t.match(await notifications.test(userId), { reason: 'no' })
  t.same(await rows(), [])
})

/** Rows of the audit log state what their object was called then; what only reads adds none. */
import t from 'tap'
import { startGateway } from '../kit/gateway.js'

t.test('objects of the audit log have the name they had at that time', async (t) => {
  const { admin, gateway } = await startGateway(t)
  const fields = { type: 1, base_url: 'https://up.example', group: 'default', models: 'm' }
  const id = await admin.channel({ ...fields, name: 'openai-main', key: 'sk-a' })
  const rows = async (object: string) =>
    (await admin.must('GET', `/api/audit/?object=${encodeURIComponent(object)}`)).items
  await admin.must('PUT', '/api/channel/', { id, priority: 3 })
  t.match((await rows(`channel ${id}`))[0], {
    action: 'channels.update',
    object_name: 'openai-main',
  })
  await admin.must('PUT', '/api/channel/', { id, name: 'openai-spare' })
  await admin.must('DELETE', `/api/channel/${id}`)
  t.strictSame(
    (await rows(`channel ${id}`))
      .map((row: { object_name: string }) => row.object_name)
      .slice(0, 3),
    ['openai-spare', 'openai-spare', 'openai-main'],
  )
  const { id: user } = await admin.must('POST', '/api/user/', {
    ...{ username: 'ada', password: 'a long password here' },
  })
  await admin.must('DELETE', `/api/user/${user}`)
  t.match(await rows(`user ${user}`), [{ object_name: 'ada' }, { object_name: 'ada' }])
  t.match(await rows('no such object'), [])

  const day = new Date().toISOString().slice(0, 10)
  t.match(await admin.must('GET', `/api/audit/verify?day=${day}`), { intact: true })
  const { knex } = gateway.service('database')
  await knex.transaction(async (trx) => {
    await trx.raw('ALTER TABLE audit_log DISABLE TRIGGER audit_log_append_only')
    await trx('audit_log').where({ object_name: 'openai-spare' }).update({ object_name: 'other' })
    await trx.raw('ALTER TABLE audit_log ENABLE TRIGGER audit_log_append_only')
  })
  t.match(await admin.must('GET', `/api/audit/verify?day=${day}`), {
    ...{ intact: false, broken: { fault: 'content' } },
  })
})

t.test('looking at the keys of a channel adds no row, changing them does', async (t) => {
  const { admin, gateway } = await startGateway(t)
  const fields = { type: 1, base_url: 'https://up.example', group: 'default', models: 'm' }
  const made = await admin.must('POST', '/api/channel/', {
    mode: 'multi_to_single',
    channel: { ...fields, name: 'many', key: 'sk-a\nsk-b' },
  })
  const { knex } = gateway.service('database')
  const { id } = await knex('channels').first('id')
  t.ok(made !== undefined)
  const count = async () => (await admin.must('GET', '/api/audit/?action=channel-keys.')).total
  const manage = (action: string, more = {}) =>
    admin.must('POST', '/api/channel/multi_key/manage', { channel_id: id, action, ...more })
  await manage('get_key_status')
  t.equal(await count(), 0)
  await manage('disable_all_keys')
  t.equal(await count(), 1)
})

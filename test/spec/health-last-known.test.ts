/** What was known of a channel's health is shown after a restart, with its time, until there is news. */
import t from 'tap'
import type { Life } from '../../kernel/contract/kit.js'
import type { Health } from '../../plugins/services/health/index.js'
import { startGateway } from '../kit/gateway.js'
import { chat, json, scriptedUpstream } from '../kit/upstream.js'

t.test('health and latency of channels outlast a restart, and the newest news stays', async (t) => {
  const upstream = await scriptedUpstream(t)
  upstream.script(json(200, chat.whole('Hello.', 3, 3)))
  const first = await startGateway(t)
  const { admin } = first
  const fields = { type: 1, key: 'k', base_url: upstream.url, group: 'default' }
  const well = await admin.channel({ ...fields, name: 'well', models: 'gpt-4o-mini' })
  const ill = await admin.channel({ ...fields, name: 'ill', models: 'gpt-4o' })
  const unused = await admin.channel({ ...fields, name: 'unused', models: 'o3' })
  const known = async () => {
    const rows = await admin.must('GET', `/api/channel/health?ids=${well},${ill},${unused}`)
    return rows.map((row: { last_known: unknown }) => row.last_known)
  }
  t.strictSame(await known(), [null, null, null])
  await admin.must('GET', `/api/channel/test/${well}`)
  upstream.script(json(500, { error: { message: 'The upstream is broken' } }))
  await (await first.chat({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hi' }] })).text()

  const health: Health & Life = first.gateway.service('health')
  const statements: string[] = []
  const { knex } = first.gateway.service('database')
  knex.on('query', ({ sql }: { sql: string }) => {
    if (sql.includes('channel_health')) statements.push(sql)
  })
  await health.stop?.()
  t.equal(statements.length, 1, 'one statement for all channels')
  const after = await known()
  t.match(after, [{ well: true, reason: '' }, { well: false, latency: 0, reason: /broken/ }, null])
  t.ok(Math.abs(after[0].at - Date.now() / 1000) < 60)
  await health.stop?.()
  t.equal(
    statements.filter((sql) => sql.includes('INSERT')).length,
    1,
    'what is no news is not written',
  )

  await knex('channel_health')
    .where('channel_id', ill)
    .update({ known_at: new Date(Date.now() + 60_000), reason: 'newer' })
  await (await first.chat({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hi' }] })).text()
  await health.stop?.()
  t.match((await known())[1], { reason: 'newer' }, 'of another process the newer news stays')
})

/** Fields that an upstream refused, through a whole gateway: what clients hear, what admins see, and a database that fails. */
import t from 'tap'
import { databaseKind } from '../../kit/database.js'
import { failingDatabase } from '../../kit/failing-database.js'
import { ask, model, scriptedGateway } from '../../kit/scripted-gateway.js'
import { chat, json } from '../../kit/upstream.js'
import { strictly, type VendorRule } from '../../kit/vendor.js'

const noPenalty: VendorRule = {
  rule: 'Argument not supported on this model: presencePenalty',
  source: 'github.com/n8n-io/n8n/issues/14581',
  read: '2026-11-27',
  broken: ({ json: body }) => 'presence_penalty' in (body as object),
}
const strict = strictly([noPenalty], json(200, chat.whole('Hi.', 10, 2)))
const penalised = ask({ presence_penalty: 1 })

t.test('[FMT-17] a refused field reaches the client, and is counted for admins', async (t) => {
  const gateway = await scriptedGateway(t, { channel: { model_mapping: { [model]: 'grok-4' } } })
  const { admin, upstream, channelId } = gateway
  const path = `/api/channel/${channelId}/refusals`
  upstream.script(strict)

  t.equal((await gateway.chat(ask())).status, 200)
  t.strictSame(await admin.must('GET', path), [])

  const refused = await gateway.chat(penalised)
  t.equal(refused.status, 400)
  t.match(await refused.json(), { error: { message: /presencePenalty/ } })
  await gateway.chat(penalised)
  await gateway.gateway.idle()
  const [row, ...others] = await admin.must('GET', path)
  t.strictSame(others, [])
  t.match(row, {
    ...{ model: 'grok-4', field: 'presencePenalty', count: 2, status: 400 },
    message: /^Argument not supported on this model: presencePenalty/,
  })
  t.ok(Math.abs(row.last_seen - Date.now() / 1000) < 60)
  t.ok(row.first_seen <= row.last_seen)

  await admin.must('GET', `/api/channel/test/${channelId}`)
  t.equal((await admin.must('GET', path)).length, 1, 'a test is nobody’s request')

  t.same(await admin.must('DELETE', path), { cleared: 1 })
  t.strictSame(await admin.must('GET', path), [])
  const { items } = await admin.must('GET', '/api/audit/')
  t.ok(JSON.stringify(items[0]).includes('refusals'), 'who cleared stands in the audit log')

  for (const method of ['GET', 'DELETE']) {
    const missing = await admin.call(method, '/api/channel/987654/refusals')
    t.match(missing, { status: 404 }, method)
  }
})

t.test(
  'a database that fails at the counts breaks no request and loses none',
  { skip: databaseKind === 'pglite' && 'faults need PostgreSQL' },
  async (t) => {
    const database = failingDatabase()
    const gateway = await scriptedGateway(t, { wrap: database.wrap })
    const { admin, upstream, channelId } = gateway
    const service = gateway.gateway.service('refusals')
    upstream.script(strict)
    for (const fault of ['lost', 'readOnly', 'late'] as const) {
      const struck = database.strike(fault, { at: /channel_refusals/ })
      const refused = await gateway.chat(penalised)
      t.equal(refused.status, 400, fault)
      await refused.text()
      await gateway.gateway.idle()
      await service.flush()
      await struck
      database.mend()
      t.equal((await gateway.chat(ask())).status, 200)
    }
    const [row] = await admin.must('GET', `/api/channel/${channelId}/refusals`)
    t.match(row, { field: 'presencePenalty', count: 3 })
  },
)

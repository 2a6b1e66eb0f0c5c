/** The audit log over the whole gateway (E9): every write of an admin, who signs in, and no secret. */
import t from 'tap'
import { startGateway } from '../kit/gateway.js'
import { management } from '../kit/management.js'

const { url, admin: root, gateway } = await startGateway(t)
const { knex } = gateway.service('database')
const password = 'canary-password-1'

interface Row {
  readonly action: string
  readonly actor_name: string
  readonly actor_role: number
  readonly object: string
  readonly detail: string
  readonly ip: string
  readonly request_id: string
  readonly before_hash: string
  readonly after_hash: string
}

async function rows(query = ''): Promise<readonly Row[]> {
  return (await root.must('GET', `/api/audit/?page_size=100${query}`)).items
}

t.test('setup, sign-in and balance of the beginning are there already', async (t) => {
  const results = await rows()
  const actions = results.map(({ action }) => action)
  for (const action of ['setup.complete', 'session.login', 'tokens.create', 'users.manage']) {
    t.ok(actions.includes(action), action)
  }
  const setup = results.find(({ action }) => action === 'setup.complete')
  t.match(setup, { actor_name: 'root', actor_role: 100, object: 'user root', ip: '127.0.0.1' })
})

t.test('each write is one row with its actor, its object and the id of its request', async (t) => {
  const { id } = await root.must('POST', '/api/user/', { username: 'boss', password, role: 1 })
  const promoted = await root.call('POST', '/api/user/manage', { id, action: 'promote' })
  t.equal(promoted.status, 200)
  const [row] = await rows()
  t.match(row, { action: 'users.manage', actor_name: 'root', actor_role: 100 })
  t.equal(row?.request_id, promoted.headers.get('x-request-id'))
  t.match(`${row?.object} ${row?.detail}`, String(id))

  await root.option('ModelPrice', { 'a-model': 1 })
  await root.option('ModelPrice', { 'a-model': 2 })
  const [second, first] = await rows('&action=options.update')
  t.match(second, { object: 'option ModelPrice' })
  t.equal(first?.after_hash, second?.before_hash)
  t.not(second?.before_hash, second?.after_hash)
})

t.test('what was refused and what was only read leaves no row', async (t) => {
  const count = async () => (await rows()).length
  const before = await count()
  t.equal((await root.call('PUT', '/api/option/', { key: 'No', value: 1 })).status, 400)
  t.equal((await management(url).login('root', 'wrong password')).status, 401)
  await root.must('GET', '/api/option/')
  t.equal(await count(), before)
})

t.test('who signs in is named', async (t) => {
  const boss = management(url)
  t.equal((await boss.login('boss', password)).status, 200)
  const [row] = await rows('&action=session.')
  t.match(row, { action: 'session.login', actor_name: 'boss', actor_role: 10 })
})

t.test('admins see one another, root alone sees root; nobody else sees anything', async (t) => {
  const boss = management(url)
  await boss.login('boss', password)
  await boss.must('POST', '/api/token/', { name: 'mine', unlimited_quota: true, expired_time: -1 })
  const { items } = await boss.must('GET', '/api/audit/?page_size=100')
  t.ok(items.length > 0)
  t.strictSame([...new Set(items.map(({ actor_name }: Row) => actor_name))], ['boss'])
  t.equal((await boss.call('GET', '/api/audit/verify?day=2026-01-01')).status, 403)
  await root.must('POST', '/api/user/', { username: 'ada', password, role: 1 })
  const ada = management(url)
  await ada.login('ada', password)
  t.equal((await ada.call('GET', '/api/audit/')).status, 403)
  t.equal((await management(url).call('GET', '/api/audit/')).status, 401)
})

t.test('no secret that went through a write is in the log', async (t) => {
  const key = 'sk-canary0123456789abcdefghijklmnopqrstuvwxyz'
  await root.channel({ name: 'c', type: 1, key, models: 'm', base_url: url })
  await root.option('TurnstileSecretKey', 'canary-option')
  const token = await root.token({ name: 'canary token' })
  const shown = await root.must('POST', `/api/token/${token.id}/key`, {})
  t.match(JSON.stringify(shown), token.key)
  const stored = JSON.stringify(await rows())
  for (const secret of [key, password, 'canary-option', token.key, 'correct horse battery']) {
    t.notMatch(stored, secret)
  }
  const [reveal] = await rows('&action=tokens.')
  t.match(reveal, { object: String }, 'reading a key is reported')
})

t.test('the chain of the day holds', async (t) => {
  const days = new Set(
    (await knex('audit_log').select('created_at')).map((row) =>
      row.created_at.toISOString().slice(0, 10),
    ),
  )
  let counted = 0
  for (const day of days) {
    const verdict = await root.must('GET', `/api/audit/verify?day=${day}`)
    t.match(verdict, { day, intact: true, head: /^[0-9a-f]{64}$/ })
    counted += verdict.rows
  }
  const { rows: all } = await knex.raw('SELECT count(*) AS rows FROM audit_log')
  t.equal(counted, Number(all[0].rows))
  t.equal((await root.call('GET', '/api/audit/verify?day=yesterday')).status, 400)
})

t.test('a write stands although the log of it cannot be written', async (t) => {
  await knex.schema.renameTable('audit_log', 'away')
  const { status } = await root.call('PUT', '/api/option/', { key: 'SystemName', value: 'Kept' })
  await knex.schema.renameTable('away', 'audit_log')
  t.equal(status, 200)
  t.equal((await root.must('GET', '/api/status')).system_name, 'Kept')
})

/** The warning of a low balance: once for each stretch below, and cheap however many users there are. */
import t, { type Test } from 'tap'
import { balancesText, movedText } from '../../../plugins/services/notifications/low-balance.js'
import { testDatabase } from '../../kit/database.js'
import { noticesFixture } from './notices-fixture.js'

const gateway = await noticesFixture(t)

let posts = 0

async function start(t: Test) {
  await gateway.clear()
  const one = await gateway.process(t)
  const { fixture } = gateway
  const { knex } = fixture.database
  const ada = await fixture.person('ada')
  await knex('users').where({ id: ada.userId }).update({ email: 'ada@example.com' })
  const post = (amount: bigint, userId = ada.userId) => {
    posts += 1
    const facts = { key: `post-${posts}`, kind: 'admin', requestId: `post-${posts}` } as const
    return fixture.ledger.post({ ...facts, userId, amount, mayOverdraw: true, note: 'test' })
  }
  const watch = () => one.notifications.watchBalances()
  await watch()
  const readResult = async () => {
    await gateway.quiet(one)
    return gateway.sent.filter(({ notice }) => notice.type === 'quota_exceed').length
  }
  return { ...gateway, one, ada, knex, post, watch, readResult }
}

t.test('who falls below is informed once, and again after the balance was above', async (t) => {
  const { ada, knex, post, watch, readResult, sent } = await start(t)
  await post(5_000n)
  await watch()
  t.equal(await readResult(), 0)
  await post(-4_100n)
  await watch()
  t.equal(await readResult(), 1)
  t.same(sent[0]?.notice.values, ['900', '1000'])
  await post(-100n)
  await watch()
  await watch()
  t.equal(await readResult(), 1, 'not twice for one stretch')
  await post(1_000n)
  await watch()
  t.match(await knex('users').where({ id: ada.userId }).first(), { quota_warned: false })
  await post(-1_000n)
  await watch()
  t.equal(await readResult(), 2)
})

t.test(
  'everybody has a threshold of their own, and what did not move is not looked at',
  async (t) => {
    const { ada, knex, post, watch, readResult, fixture } = await start(t)
    const bob = await fixture.person('bob')
    await post(5_000n)
    await post(5_000n, bob.userId)
    const setting = { quota_warning_threshold: 4_000.5 }
    await knex('users').where({ id: ada.userId }).update({ setting })
    await watch()
    await post(-1_000n)
    await post(-1_000n, bob.userId)
    await watch()
    t.equal(await readResult(), 1, '4000 is below 4000.5; bob has the default')
    const idle = await fixture.person('idle')
    await watch()
    t.match(await knex('users').where({ id: idle.userId }).first(), { quota_warned: false })
  },
)

t.test('two processes at once warn once', async (t) => {
  const { process, one, post, watch, readResult } = await start(t)
  const others = [await process(t), await process(t)]
  await post(5_000n)
  await watch()
  await post(-4_500n)
  await Promise.all([one, ...others].map(({ notifications }) => notifications.watchBalances()))
  t.equal(await readResult(), 1)
})

t.test('a hundred thousand idle users cost nothing: both reads go by index', async (t) => {
  // Apart, since such books would never add up.
  const { knex } = await testDatabase(t)
  await knex.raw(
    `INSERT INTO users (username, password_hash) SELECT 'u' || n, '' FROM generate_series(1, 100000) n`,
  )
  await knex.raw(
    `INSERT INTO accounts (kind, owner_id) SELECT 'wallet', id FROM users
     ON CONFLICT DO NOTHING`,
  )
  await knex.raw(
    `INSERT INTO transfers (idem_key, kind, debit_account, credit_account, amount, request_id)
     SELECT 'x' || n, 'settle', 10 + n % 1000, -1, 0, 'r' FROM generate_series(1, 100000) n`,
  )
  await knex.raw('ANALYZE users, accounts, transfers')
  const end = await knex('transfers').max('id as id').first()
  const plan = async (text: string, values: readonly unknown[]) => {
    const { rows } = await knex.raw(`EXPLAIN ${text}`, [...values] as never)
    return JSON.stringify(rows)
  }
  const moved = await plan(movedText, [String(BigInt(end?.id) - 100n), String(end?.id)])
  const balances = await plan(balancesText, [[11, 12, 13]])
  for (const message of [moved, balances]) t.notMatch(message, /Seq Scan/)
})

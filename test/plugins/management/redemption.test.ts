/** The area of redemption codes: what admins and root see and do of them, and redeeming one. */
import t from 'tap'
import createArea from '../../../plugins/management/redemption/index.js'
import type { Guesses } from '../../../plugins/services/guesses/index.js'
import createRedemption from '../../../plugins/services/redemption/index.js'
import type { Verification } from '../../../plugins/services/verification/index.js'
import { call, data, managementFixture, settingsOf } from './management-fixture.js'

const fixture = await managementFixture(t)
const { clock, log, database, ledger, secrets, changes, person } = fixture
const settings = settingsOf({})
const redemption = createRedemption({
  ...{ settings, clock, log, services: { database, secrets, ledger, changes } },
})
const proofs: string[] = []
const verification = {
  require: async (_: unknown, scope: string) => void proofs.push(scope),
} as unknown as Verification
const guesses: string[] = []
const counting = {
  inSession: async (_: unknown, at: string) => void guesses.push(at),
} as unknown as Guesses
const area = createArea({
  ...{ settings, clock, log, services: { redemption, verification, guesses: counting } },
})
const root = { ...(await person('boss')), role: 100 }
const admin = { ...(await person('admin')), role: 10 }
const user = await person('ada')
const batch = { name: 'Spring', quota: 500 }
const redeem = (key: string) => call(area, 'redeem', { principal: user, body: { key } })

t.test('[SVC-4] a batch is made with a proof, and redeemed by its code', async (t) => {
  const made = await call(area, 'create', { principal: root, body: { ...batch, count: 3 } })
  t.equal(made.data.length, 3)
  t.strictSame(proofs, ['balance'])
  t.match(made.headers, { 'cache-control': 'no-store' })
  t.match(made.audit, {
    object: /^redemption batch /,
    detail: '3 codes "Spring" of 500, 1 uses each',
  })
  t.notOk(JSON.stringify(made.audit).includes(made.data[0]))
  t.equal((await redeem(made.data[0])).data, 500n)
  t.strictSame(guesses, ['code'])
  await t.rejects(redeem(made.data[0]), { code: 'redemption_code_invalid', param: 'key' })
  const page = await data(area, 'list', { principal: root, query: { keyword: made.data[0] } })
  t.match(page, {
    total: 1,
    items: [
      { key: made.data[0], status: 3, state: 'used', used_user_id: user.userId, quota: 500n },
    ],
  })
})

t.test('[AUTH-2] admins see no more of a code than its beginning', async (t) => {
  const [code] = await data(area, 'create', { principal: root, body: batch })
  const query = { keyword: code }
  const { items } = await data(area, 'search', { principal: admin, query })
  t.equal(items[0].key, `${code.slice(0, 4)}…`)
  const params = { id: items[0].id }
  t.equal((await data(area, 'read', { principal: admin, params })).key, `${code.slice(0, 4)}…`)
  t.equal((await data(area, 'read', { principal: root, params })).key, code)
})

t.test('a code is named anew and switched; its credit stays', async (t) => {
  const [code] = await data(area, 'create', { principal: root, body: batch })
  const found = await data(area, 'list', { principal: root, query: { keyword: code } })
  const { id } = found.items[0]
  const change = (body: object) => call(area, 'update', { principal: admin, body: { id, ...body } })
  t.match((await change({ status: 2, quota: 500 })).audit, { before: 'on', after: 'off' })
  await t.rejects(redeem(code), { code: 'redemption_code_invalid' })
  await t.rejects(change({ quota: 501 }), { code: 'invalid_field', param: 'quota' })
  t.match((await change({ status: 1, name: 'Summer' })).data, { name: 'Summer', status: 1 })
  t.equal((await redeem(code)).data, 500n)
  t.strictSame((await call(area, 'remove', { principal: admin, params: { id } })).data, null)
  const gone = { code: 'gone_missing' }
  await t.rejects(change({ name: 'x' }), gone)
  await t.rejects(call(area, 'remove', { principal: admin, params: { id } }), gone)
  await t.rejects(call(area, 'read', { principal: admin, params: { id } }), gone)
})

t.test('what cannot be is refused by its field', async (t) => {
  const create = (over: object) =>
    call(area, 'create', { principal: root, body: { ...batch, ...over } })
  const rows: readonly (readonly [object, string])[] = [
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(21) }, 'name'],
    [{ name: 'a\0b' }, 'name'],
    [{ quota: 0 }, 'quota'],
    [{ quota: 1.5 }, 'quota'],
    [{ quota: 2 ** 53 }, 'quota'],
    [{ count: 0 }, 'count'],
    [{ count: 101 }, 'count'],
    [{ uses: 0 }, 'uses'],
    [{ uses: 100_001 }, 'uses'],
    [{ expired_time: -1 }, 'expired_time'],
    [{ expired_time: 1 }, 'expired_time'],
  ]
  for (const [over, param] of rows) {
    await t.rejects(create(over), { code: 'invalid_field', param }, JSON.stringify(over))
  }
  const query = { keyword: 'a\0b' }
  await t.rejects(call(area, 'list', { principal: root, query }), {
    ...{ code: 'invalid_field', param: 'keyword' },
  })
  await t.rejects(redeem('a\0b'), { code: 'invalid_field', param: 'key' })
})

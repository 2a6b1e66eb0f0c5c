/** Inviting others: a code that stays, and rewards that become money once (AUTH-6). */
import t from 'tap'
import type { Principal } from '../../../kernel/contract/management.js'
import createArea from '../../../plugins/management/invitations/index.js'
import { earnReward } from '../../kit/rewards.js'
import { joiningFixture, tally, verdict } from '../services/joining-fixture.js'
import { call, data, settingsOf } from './management-fixture.js'

const gateway = await joiningFixture(t)
const { clock, log, database, ledger, person } = gateway
const area = createArea({ settings: settingsOf({}), clock, log, services: gateway })
const { knex } = database
const unit = 500_000

async function rewarded(rewards: number): Promise<Principal> {
  const principal = await person('inviter')
  await earnReward(knex, principal.userId, rewards)
  return principal
}

const transfer = (principal: Principal, quota: number, moneyKey: string) =>
  call(area, 'transfer', { principal, body: { quota }, moneyKey })

async function stands({ userId }: Principal) {
  const { aff_quota } = await knex('users').where({ id: userId }).first('aff_quota')
  return [aff_quota, (await ledger.wallets([userId])).get(userId)?.posted]
}

t.test('a code is made when it is first requested, and stays', async (t) => {
  const principal = await person('asker')
  const code = await data(area, 'code', { principal })
  t.match(code, /^[A-Z0-9]{6}$/)
  t.equal(await data(area, 'code', { principal }), code)
})

t.test('[AUTH-6] rewards move into the wallet, as one entry of the ledger', async (t) => {
  const principal = await rewarded(3 * unit)
  const { data: moved, audit } = await transfer(principal, 2 * unit, 'first')
  t.same(moved, { quota: BigInt(2 * unit), aff_quota: BigInt(unit) })
  t.match(audit, { object: `user ${principal.userId}`, detail: `transfer ${2 * unit}` })
  t.same(await stands(principal), [BigInt(unit), BigInt(2 * unit)])
  const entry = await knex('transfers').where({ idem_key: 'invite:transfer:first' }).first()
  t.match(entry, { kind: 'invite', amount: BigInt(2 * unit) })
})

t.test('[AUTH-6] [BILL-2] the same transfer sent again moves nothing', async (t) => {
  const principal = await rewarded(3 * unit)
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => verdict(transfer(principal, unit, 'same'))),
  )
  t.same(tally(answers), { done: 10 })
  t.same(await stands(principal), [BigInt(2 * unit), BigInt(unit)])
  await t.rejects(async () => transfer(principal, unit, ''), /without a key/)
})

t.test('[AUTH-6] twenty transfers at once never move more than there is', async (t) => {
  const principal = await rewarded(7 * unit + 1)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => verdict(transfer(principal, unit, `race${index}`))),
  )
  t.same(tally(answers), { done: 7, insufficient_balance: 13 })
  t.same(await stands(principal), [1n, BigInt(7 * unit)])
  t.same(await ledger.check(), [])
})

t.test('[AUTH-6] less than a unit, or more than there is, does not move', async (t) => {
  const principal = await rewarded(unit)
  const refused = { code: 'invalid_field', param: 'quota' }
  for (const quota of [unit - 1, 0, -unit, unit + 0.5, 1e18]) {
    await t.rejects(transfer(principal, quota, `odd${quota}`), refused)
  }
  await t.rejects(transfer(principal, unit + 1, 'more'), {
    code: 'insufficient_balance',
    param: 'quota',
  })
  t.same(await stands(principal), [BigInt(unit), 0n])
  t.equal(await verdict(transfer(principal, unit, 'more')), 'done', 'its key was not used up')
  await earnReward(knex, principal.userId, unit)
  await knex('users').where({ id: principal.userId }).update({ status: 2 })
  t.equal(await verdict(transfer(principal, unit, 'off')), 'gone_missing')
})

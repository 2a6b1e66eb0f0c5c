/** A key that memory still takes for good does not spend, and is reported why. */
import t from 'tap'
import { management } from '../../kit/management.js'
import { ask, scriptedGateway } from '../../kit/scripted-gateway.js'
import { chat, json } from '../../kit/upstream.js'

const gateway = await scriptedGateway(t)
const { knex } = gateway.gateway.service('database')
gateway.upstream.script(json(200, chat.whole('Hi.', 10, 10)))

const password = 'correct horse battery'

/** Somebody whose key was just used, so that this process knows it. */
async function spender(username: string) {
  const { id } = await gateway.admin.must('POST', '/api/user/', { username, password })
  await gateway.admin.credit(id, 1_000_000)
  const self = management(gateway.url)
  await self.login(username, password)
  const { id: tokenId, key } = await self.token()
  const readResult = async () => {
    const answer = await gateway.chat(ask(), { authorization: `Bearer ${key}` })
    const { error } = (await answer.json()) as { error?: { code: string } }
    return [answer.status, error?.code]
  }
  t.same(await readResult(), [200, undefined])
  await gateway.gateway.idle()
  return { id, tokenId, readResult }
}

/** As another process does it, before this one hears of it. */
const outside = {
  deleted: { row: { status: 2, deleted_at: new Date() }, results: [403, 'token_owner_deleted'] },
  disabled: { row: { status: 2 }, results: [403, 'user_disabled'] },
} as const

for (const [what, { row, results }] of Object.entries(outside)) {
  t.test(`[AUTH-3] the owner was ${what} by another process a moment ago`, async (t) => {
    const one = await spender(what)
    await knex('users').where({ id: one.id }).update(row)
    await knex('accounts').where({ owner_id: one.id }).update({ active: false })
    const requestCount = gateway.upstream.requests.length
    t.same(await one.readResult(), results)
    t.equal(gateway.upstream.requests.length, requestCount, 'nothing was relayed')
  })
}

t.test('a key that was switched off, or has gone, by another process', async (t) => {
  const [off, gone] = [await spender('off'), await spender('gone')]
  await knex('tokens').where({ id: off.tokenId }).update({ status: 2 })
  await knex('tokens').where({ id: gone.tokenId }).update({ status: 2, deleted_at: new Date() })
  t.same(await off.readResult(), [401, 'token_disabled'])
  t.same(await gone.readResult(), [401, 'invalid_api_key'])
})

t.test('an account that is blocked for its books', async (t) => {
  const one = await spender('blocked')
  await knex('accounts').where({ owner_id: one.id }).update({ blocked: true })
  t.same(await one.readResult(), [401, 'token_disabled'])
  await knex('accounts').where({ owner_id: one.id }).update({ blocked: false })
})

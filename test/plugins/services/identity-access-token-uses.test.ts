/** The last use of access tokens: noted beside the answer, and written once a minute. */
import t from 'tap'
import type { Schedule } from '../../../kernel/contract/services/schedule.js'
import { accessTokenUses } from '../../../plugins/services/identity/access-token-uses.js'
import { managementFixture } from '../management/management-fixture.js'

const gateway = await managementFixture(t)
const { clock, database } = gateway
const { accessTokens } = gateway.identity

t.test('[AUTH-4] the last use of an access token is written once a minute', async (t) => {
  const { userId } = await gateway.person('ada')
  const { id } = await accessTokens.replace({ userId, name: 'default' })
  let period = 0
  let flush = async (): Promise<void> => {}
  const every = (_: string, ms: number, work: () => Promise<void>) => {
    period = ms
    flush = work
    return { stop() {}, now: work }
  }
  const uses = accessTokenUses({ database, clock, schedule: { every } as unknown as Schedule })
  uses.start()
  t.equal(period, 60_000)
  const shown = async () => {
    const [token] = await accessTokens.list(userId)
    return [token?.last_used_at, token?.last_used_address]
  }

  const first = Math.floor(clock.now() / 1000)
  uses.note(id, '192.0.2.1')
  clock.advance(1000)
  uses.note(id, '192.0.2.2')
  t.strictSame(await shown(), [0, ''], 'no answer waits for it')
  await flush()
  t.strictSame(await shown(), [first + 1, '192.0.2.2'])

  await database.knex('access_tokens').where({ id }).update({ last_used_address: 'another' })
  uses.note(id, '192.0.2.3')
  await flush()
  t.strictSame(await shown(), [first + 1, 'another'], 'only a later use is written')
  clock.advance(1000)
  uses.note(id, '192.0.2.4')
  await uses.stop()
  t.strictSame(await shown(), [first + 2, '192.0.2.4'], 'what was not written yet is, at the end')
})

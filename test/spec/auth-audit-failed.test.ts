/** Failed sign-ins and proofs in the audit log: whose account and from where, in few lines, and no password among them. */
import t from 'tap'
import { FakeClock } from '../kit/clock.js'
import { startGateway } from '../kit/gateway.js'
import { management } from '../kit/management.js'

const clock = new FakeClock()
const { url, admin, gateway } = await startGateway(t, {
  clock,
  environment: { trustedProxies: ['127.0.0.1'] },
})
const { knex } = gateway.service('database')
const password = 'correct horse battery'
const typedByMistake = 'my-own-secret-1'

interface Row {
  readonly action: string
  readonly object: string
  readonly detail: string
  readonly ip: string
  readonly actor_name: string
}

/** Lines since, once the minute is over. */
async function lines(least: number): Promise<readonly Row[]> {
  clock.advance(60_000)
  for (;;) {
    const { items } = await admin.must('GET', '/api/audit/?page_size=100')
    const found = items.filter(({ action }: Row) => action.endsWith('.failed'))
    if (found.length >= least) return found
    await new Promise(setImmediate)
  }
}

const fail = (username: string, address: string) =>
  management(url).call(
    'POST',
    '/api/user/login',
    { username, password: 'a guess' },
    { 'x-forwarded-for': address },
  )

t.test(
  'a failed sign-in is reported with account and address, however often, in one line',
  async (t) => {
    const { id } = await admin.must('POST', '/api/user/', { username: 'ada', password, role: 1 })
    for (let at = 0; at < 7; at++) await fail(at % 2 === 0 ? 'ada' : 'ADA', '9.1.1.1')
    await fail('ada', '9.1.1.2')
    await fail(typedByMistake, '9.1.1.1')
    const results = await lines(3)
    const shown = results.map(({ action, object, detail, ip, actor_name: by }) =>
      [action, object, detail, ip, by].join(' | '),
    )
    t.same(
      new Set(shown),
      new Set([
        `session.login.failed | user ${id} | invalid_credentials, 7 times | 9.1.1.1 | `,
        `session.login.failed | user ${id} | invalid_credentials, once | 9.1.1.2 | `,
        'session.login.failed | no account | invalid_credentials, once | 9.1.1.1 | ',
      ]),
    )
    t.notMatch(
      JSON.stringify(await knex('audit_log').select('object', 'detail', 'actor_name')),
      typedByMistake,
    )
  },
)

t.test('a failed verification is reported with who was signed in', async (t) => {
  const { id } = await admin.must('POST', '/api/user/', { username: 'bob', password, role: 1 })
  const bob = management(url)
  await bob.login('bob', password)
  const form = { scope: 'access_token', method: 'password', password: 'a guess' }
  t.equal((await bob.call('POST', '/api/verify', form)).status, 403)
  const [row] = await lines(4)
  t.match(row, { action: 'verify.verify.failed', object: `user ${id}`, actor_name: 'bob' })
})

t.test('a link that is wrong is reported with whose account it was for', async (t) => {
  const { id } = await admin.must('POST', '/api/user/', { username: 'eve', password, role: 1 })
  const email = 'eve@example.com'
  await knex('users').where({ id }).update({ email, email_verified: true })
  const form = { email, token: 'x'.repeat(43), password }
  t.equal((await management(url).call('POST', '/api/user/reset', form)).status, 400)
  const [row] = await lines(5)
  t.match(row, { action: 'registration.reset.failed', object: `user ${id}` })
})

t.test('a flood from a thousand addresses is a few lines, and the chain holds', async (t) => {
  const before = (await lines(5)).length
  const audit = gateway.service('audit')
  const entry = { requestId: 'req_flood' as never, action: 'session.login.failed' }
  for (let at = 0; at < 1000; at++) {
    audit.refused({ ...entry, address: `9.2.${at >> 8}.${at & 255}`, object: `user ${at}` })
  }
  const results = await lines(before + 21)
  t.equal(results.length, before + 21)
  const [rest] = results.filter(({ object }) => object === 'several accounts')
  t.match(rest, { detail: 'from further addresses, 980 times', ip: '' })
  const day = new Date(clock.now()).toISOString().slice(0, 10)
  t.match(await admin.must('GET', `/api/audit/verify?day=${day}`), { intact: true })
})

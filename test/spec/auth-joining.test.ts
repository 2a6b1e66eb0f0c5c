/** How people join and what admins do to them, over HTTP as a console does it: AUTH-2, AUTH-6, AUTH-7. */
import t from 'tap'
import { noRateLimits, startGateway } from '../kit/gateway.js'
import { type Management, management } from '../kit/management.js'
import { earnReward } from '../kit/rewards.js'
import { decoded, mailServer } from '../kit/smtp.js'
import { json, scriptedUpstream } from '../kit/upstream.js'

const perUser = 8
const criticalRoute = { enabled: true, limit: perUser, windowSeconds: 1_200 }
const gate = await startGateway(t, {
  environment: { rateLimits: { ...noRateLimits, criticalRoute } },
})
const { url, admin: root, gateway } = gate
const { knex } = gateway.service('database')
const password = 'correct horse battery'
const unit = 500_000
let names = 0

/** Made and signed in past the routes, whose limits are counted here. */
async function person(role = 1): Promise<Management & { readonly id: number }> {
  const identity = gateway.service('identity')
  const username = `person${++names}`
  const passwordHash = await identity.hash(password)
  const terms = { username, displayName: username, passwordHash, role, group: 'default' }
  const id = await knex.transaction((trx) => identity.enroll(terms, trx))
  const facts = { address: '127.0.0.1', userAgent: '', secure: false }
  const session = await identity.openSession({ userId: id, method: 'password', ...facts })
  const sent = { cookie: String(session.cookie.split(';')[0]) }
  const client = management(url)
  return {
    ...client,
    id,
    call: (method, path, body, headers) => client.call(method, path, body, { ...sent, ...headers }),
    must: (method, path, body, headers) => client.must(method, path, body, { ...sent, ...headers }),
  }
}

t.test('[AUTH-2] a demoted admin is an admin no more, with the very next request', async (t) => {
  const boss = await person(10)
  await boss.must('GET', '/api/user/')
  const { id } = boss
  const { status } = await root.call('POST', '/api/user/manage', { id, action: 'demote' })
  t.equal(status, 200)
  t.match(await boss.call('GET', '/api/user/'), { status: 401, body: { success: false } })
  t.equal((await boss.call('GET', '/api/user/self')).status, 401, 'the session ended, too')

  const quiet = await person(10)
  await knex('users').where({ id: quiet.id }).update({ role: 1 })
  t.equal((await quiet.call('GET', '/api/user/')).status, 403, 'the row counts, not the session')
  await knex('users').where({ id: quiet.id }).update({ status: 2 })
  t.equal((await quiet.call('GET', '/api/user/self')).status, 401)
})

t.test(
  '[AUTH-6] the transfer of rewards is limited by user, wherever others call from',
  async (t) => {
    const [ada, bob] = [await person(), await person()]
    for (const { id } of [ada, bob]) await earnReward(knex, id, 20 * unit)
    const transfer = (who: Management, key: string) =>
      who.call('POST', '/api/user/aff_transfer', { quota: unit }, { 'idempotency-key': key })
    const first = await transfer(ada, 'one')
    t.match(first, { status: 200, body: { data: { quota: unit, aff_quota: 19 * unit } } })
    t.match((await transfer(ada, 'one')).body.data, { quota: unit, aff_quota: 19 * unit })
    const burst = await Promise.all(
      Array.from({ length: 20 }, (_, index) => transfer(ada, `burst${index}`)),
    )
    const statuses = burst.map(({ status }) => status)
    t.equal(statuses.filter((status) => status === 200).length, perUser - 2)
    t.equal(statuses.filter((status) => status === 429).length, 20 - (perUser - 2))
    const refused = burst.find(({ status }) => status === 429)
    t.match(refused?.body, { success: false, code: 'rate_limit_exceeded' })
    t.ok(Number(refused?.headers.get('retry-after')) > 0)
    t.equal((await transfer(bob, 'one')).status, 200, 'keys and limits of another are their own')
    t.equal(
      Number(await ada.must('GET', '/api/user/self').then(({ quota }) => quota)),
      (perUser - 1) * unit,
    )
    t.same(await gateway.service('ledger').check(), [])
  },
)

t.test('[AUTH-7] while the challenge is on, nobody joins without a confirmed token', async (t) => {
  const verifier = await scriptedUpstream(t)
  const enable = () =>
    root.call('PUT', '/api/option/', { key: 'TurnstileCheckEnabled', value: 'true' })
  t.match(await enable(), { status: 400, body: { field: 'TurnstileCheckEnabled' } })
  const option = (key: string, value: string) => gateway.service('options').put({ [key]: value })
  await option('TurnstileSiteKey', 'site key')
  await option('TurnstileSecretKey', 'canary-of-the-challenge')
  await option('TurnstileVerifyUrl', verifier.url)
  await option('TurnstileCheckEnabled', 'true')
  t.teardown(() => option('TurnstileCheckEnabled', 'false'))
  verifier.script(async (request, response) => {
    const token = new URLSearchParams(request.text).get('response')
    await json(200, { success: token === 'solved' })(request, response)
  })
  const join = (username: string, query = '', headers = {}) =>
    management(url).call('POST', `/api/user/register${query}`, { username, password }, headers)
  t.match(await join('bot1'), { status: 403, body: { code: 'challenge_required' } })
  t.match(await join('bot2', '', { 'x-turnstile-token': 'guess' }), { status: 403 })
  t.match(await join('human1', '', { 'x-turnstile-token': 'solved' }), {
    status: 200,
    body: { success: true, data: null },
  })
  t.equal((await join('human2', '?turnstile=solved')).status, 200)
  t.same(await knex('users').whereIn('username', ['bot1', 'bot2']), [])
})

t.test('[AUTH-7] a verifier that fails lets nobody in', async (t) => {
  const verifier = await scriptedUpstream(t)
  verifier.script(json(500, {}))
  const options = gateway.service('options')
  await options.put({ TurnstileVerifyUrl: verifier.url })
  await options.put({ TurnstileCheckEnabled: 'true' })
  t.teardown(() => options.put({ TurnstileCheckEnabled: 'false' }))
  // Of the routes behind the challenge, one whose limit is not used up.
  const path = '/api/reset_password?email=ada@example.com'
  const answer = await management(url).call('GET', path, undefined, { 'x-turnstile-token': 'x' })
  t.match(answer, { status: 503, body: { code: 'challenge_unavailable' } })
})

t.test('from a mail address to an account, and to a new password when that is lost', async (t) => {
  const post = await mailServer(t)
  const options = gateway.service('options')
  const enabling = options.put({ EmailVerificationEnabled: 'true' })
  await t.rejects(enabling, { code: 'invalid_field', param: 'EmailVerificationEnabled' })
  await options.put({ SMTPServer: '127.0.0.1', SMTPPort: post.port, SMTPFrom: 'gate@example.com' })
  await options.put({ ServerAddress: url })
  await options.put({ EmailVerificationEnabled: 'true' })
  const anyone = management(url)
  const email = 'ada@example.com'
  const mailOf = async (count: number) => {
    for (;;) {
      if (post.mails.length >= count) return decoded(post.mails[count - 1]!.text)
      await new Promise(setImmediate)
    }
  }

  await anyone.must('GET', `/api/verification?email=${email}`)
  const verification_code = /Your code is ([0-9a-z]{4}-[0-9a-z]{4})/.exec(await mailOf(1))?.[1]
  const form = { username: 'ada', password, email, verification_code }
  t.match(await anyone.call('POST', '/api/user/register', form), { status: 200 })
  t.equal((await anyone.call('GET', '/api/user/self')).status, 401, 'joining does not sign in')

  const known = await anyone.call('GET', `/api/reset_password?email=${email}`)
  const unknown = await anyone.call('GET', '/api/reset_password?email=nobody@example.com')
  t.same([known.status, known.body], [unknown.status, unknown.body])
  const link = new URL(/http\S+\/user\/reset\?\S+/.exec(await mailOf(2))![0])
  const reset = Object.fromEntries(link.searchParams)
  t.equal(reset.email, email)
  const drawn = await anyone.must('POST', '/api/user/reset', reset)
  t.equal((await anyone.call('POST', '/api/user/reset', reset)).status, 400)
  t.equal((await anyone.login(email, drawn)).status, 200)
  // The notice of the changed password may have been sent meanwhile.
  const strange = post.mails.filter(({ text }) => decoded(text).includes('nobody@example.com'))
  t.equal(strange.length, 0, 'an address nobody has receives nothing')
})

/** What people received of their accounts without asking: once for each kind within ten minutes, and never a secret. */
import { Secret, TOTP } from 'otpauth'
import t from 'tap'
import { FakeClock } from '../kit/clock.js'
import { startGateway } from '../kit/gateway.js'
import { type Management, management } from '../kit/management.js'

const password = 'correct horse battery'
const tenMinutes = 600_000
const clock = new FakeClock(Date.now())
const { url, admin, gateway } = await startGateway(t, {
  clock,
  environment: { trustedProxies: ['127.0.0.1'] },
})
// Nobody takes mail there, which leaves what is to be sent in the outbox.
await admin.option('SMTPServer', '127.0.0.1')
await admin.option('SMTPPort', 9)
await admin.option('SMTPFrom', 'gateway@example.com')
const identity = gateway.service('identity')
const secrets = gateway.service('secrets')
const { knex } = gateway.service('database')
const passwordHash = await identity.hash(password)
let people = 0

interface Row {
  readonly type: string
  readonly payload: string
}

async function person(): Promise<Management & { username: string; id: number }> {
  const username = `person${++people}`
  const row = { username, displayName: '', passwordHash, role: 1, group: 'default' }
  const id = await knex.transaction((trx) => identity.enroll(row, trx))
  await knex('users')
    .where({ id })
    .update({ email: `${username}@mail.example` })
  const client = management(url)
  await client.login(username, password)
  return { ...client, username, id }
}

async function readResult(userId: number): Promise<readonly { type: string; text: string }[]> {
  const rows: Row[] = await knex('outbox').where('user_id', userId).orderBy('id')
  return rows.map(({ type, payload }) => ({
    type,
    text: secrets.open(`outbox:${userId}.${type}:payload`, payload),
  }))
}
const typesOf = async (userId: number) => (await readResult(userId)).map(({ type }) => type)

t.test(
  '[API-9] what changes a way into an account is reported to its owner, without a secret',
  async (t) => {
    const ada = await person()
    t.same(await typesOf(ada.id), [], 'the first sign-in is no news')
    const proof = await ada.prove('two_factor', password)
    const { secret, backup_codes } = await ada.must('POST', '/api/user/2fa/setup', {}, proof)
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: clock.now(),
    })
    await ada.must('POST', '/api/user/2fa/enable', { code })
    const byCode = { method: '2fa', code: backup_codes[0], scope: 'access_token' }
    const { proof_token } = await ada.must('POST', '/api/verify', byCode)
    const headers = { 'x-verification-token': proof_token }
    const token = await ada.must('POST', '/api/user/token', {}, headers)
    const { key } = await ada.token()
    const next = 'seven red lanterns'
    await ada.must('PUT', '/api/user/self', { password: next, original_password: password })
    await admin.must('DELETE', `/api/user/${ada.id}/2fa`)
    await admin.must('PUT', '/api/user/', { id: ada.id, password: 'eight red lanterns' })
    const notices = await readResult(ada.id)
    t.same(
      notices.map(({ type }) => type),
      [
        'factor_added',
        'recovery_code_used',
        'access_token_made',
        'api_key_made',
        'password_changed',
        'factor_removed',
      ],
      'two changes of the password within ten minutes are reported once',
    )
    const texts = notices.map(({ text }) => text).join('\n')
    for (const hidden of [secret, token, key, next, password, backup_codes[0]]) {
      t.notMatch(texts, String(hidden))
    }
  },
)

t.test(
  '[API-9] many keys made at once are one notice, and one more ten minutes later',
  async (t) => {
    const ada = await person()
    for (let made = 0; made < 5; made++) await ada.token()
    t.same(await typesOf(ada.id), ['api_key_made'])
    clock.advance(tenMinutes)
    await ada.token()
    t.equal((await typesOf(ada.id)).length, 2)
  },
)

t.test(
  '[API-9] a sign-in from another network or browser is reported, unless one wants none',
  async (t) => {
    const ada = await person()
    const signIn = (address: string, agent: string) =>
      management(url).call(
        'POST',
        '/api/user/login',
        { username: ada.username, password },
        { 'x-forwarded-for': address, 'user-agent': agent },
      )
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
    t.equal((await signIn('198.51.100.7', firefox)).status, 200)
    t.same(await typesOf(ada.id), ['new_sign_in'])
    clock.advance(tenMinutes)
    await signIn('198.51.100.9', firefox.replaceAll('140', '141'))
    t.equal((await typesOf(ada.id)).length, 1, 'the same network, and a newer version')
    await signIn('203.0.113.1', firefox)
    t.equal((await typesOf(ada.id)).length, 2)
    clock.advance(tenMinutes)
    await ada.must('PUT', '/api/user/setting', { sign_in_notices: false })
    await signIn('192.0.2.1', firefox)
    t.equal((await typesOf(ada.id)).length, 2)
    const wrong = { username: ada.username, password: 'not the password' }
    await management(url).call('POST', '/api/user/login', wrong, {
      'x-forwarded-for': '192.0.2.77',
    })
    t.equal((await typesOf(ada.id)).length, 2, 'nobody signed in')
  },
)

t.test('[API-9] who cannot be reached is sent nothing that would only fail', async (t) => {
  const ada = await person()
  await knex('users').where({ id: ada.id }).update({ email: '' })
  await ada.token()
  t.same(await typesOf(ada.id), [])
})

t.test(
  '[API-9] a notice comes in the language of the account, else in that of the system',
  async (t) => {
    const textOf = async (id: number) => (await readResult(id)).map(({ text }) => text).join('\n')
    const ada = await person()
    await ada.must('PUT', '/api/user/self', { language: 'zh-CN' })
    await ada.token()
    t.match(await textOf(ada.id), '已创建 API 密钥')
    await admin.option('NoticeLanguage', 'zh')
    const bob = await person()
    await bob.token()
    t.match(await textOf(bob.id), '已创建 API 密钥')
    const eve = await person()
    await eve.must('PUT', '/api/user/self', { language: 'en' })
    await eve.token()
    t.match(await textOf(eve.id), 'An API key was created')
  },
)

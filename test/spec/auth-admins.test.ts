/** The second factor root may require of admins, accounts that a passkey alone opens, and how long sessions last. */
import { Secret, TOTP } from 'otpauth'
import t from 'tap'
import { FakeClock } from '../kit/clock.js'
import { startGateway } from '../kit/gateway.js'
import { type Management, management } from '../kit/management.js'
import { Passkey } from '../kit/passkey.js'

const origin = 'https://gateway.example'
const password = 'correct horse battery'
const minute = 60_000
const hour = 60 * minute
const clock = new FakeClock(Date.now())
const { url, admin: root, gateway } = await startGateway(t, { clock })
const identity = gateway.service('identity')
const { passkeys } = gateway.service('factors')
const { knex } = gateway.service('database')
const passwordHash = await identity.hash(password)
await root.option('ServerAddress', `${origin}/`)
let people = 0

async function person(role = 1): Promise<Management & { username: string; id: number }> {
  const username = `person${++people}`
  const row = { username, displayName: '', passwordHash, role, group: 'default' }
  const id = await knex.transaction((trx) => identity.enroll(row, trx))
  const client = management(url)
  await client.login(username, password)
  return { ...client, username, id }
}

async function passkeyOf({ id, username }: { readonly id: number; readonly username: string }) {
  const owner = { username, userId: id, sessionId: '00' }
  const passkey = new Passkey(origin)
  const made = passkey.create(await passkeys.beginRegistration(owner))
  const { id: number } = await passkeys.finishRegistration(owner, made, '', async () => {})
  return { passkey, number }
}

async function signedInWith(passkey: Passkey): Promise<Management> {
  const client = management(url)
  const options = await client.must('POST', '/api/user/passkey/login/begin', {})
  await client.must('POST', '/api/user/passkey/login/finish', passkey.get(options))
  return client
}

/** Shows a passkey for an operation. */
async function proofBy(passkey: Passkey, client: Management, scope: string) {
  const options = await client.must('POST', '/api/user/passkey/verify/begin', { scope })
  const answer = await client.must('POST', '/api/user/passkey/verify/finish', passkey.get(options))
  return { 'x-verification-token': String(answer.proof_token) }
}

const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() })

async function withApp(client: Management): Promise<void> {
  const proof = await client.prove('two_factor', password)
  const { secret } = await client.must('POST', '/api/user/2fa/setup', {}, proof)
  await client.must('POST', '/api/user/2fa/enable', { code: codeOf(secret) })
  clock.advance(30_000)
}

const missing = { status: 403, body: { code: 'second_factor_missing' } }

t.test(
  '[AUTH-2] where admins need a second factor, one without can do nothing but set one up',
  async (t) => {
    const option = { key: 'AdminSecondFactorRequired', value: true }
    t.match(
      await root.call('PUT', '/api/option/', option),
      { status: 400, body: { field: option.key } },
      'root has none yet',
    )
    const [boss, common] = [await person(10), await person()]
    const proof = await boss.prove('access_token', password)
    const token = await boss.must('POST', '/api/user/token', {}, proof)
    const script = { authorization: `Bearer ${token}`, cookie: '' }
    const rootPasskey = await passkeyOf({ id: 1, username: 'root' })
    await root.must('PUT', '/api/option/', option)

    for (const [method, path] of [
      ['GET', '/api/user/'],
      ['GET', '/api/channel/'],
      ['GET', '/api/token/'],
      ['PUT', '/api/user/self'],
      ['POST', '/api/user/token'],
      ['DELETE', '/api/user/self'],
    ] as const) {
      t.match(await boss.call(method, path, method === 'GET' ? undefined : {}), missing, path)
    }
    t.match(await management(url).call('GET', '/api/user/', undefined, script), missing, 'a script')
    const chat = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }
    t.equal((await boss.call('POST', '/pg/chat/completions', chat)).status, 403)
    t.equal((await common.call('GET', '/api/token/')).status, 200, 'users need none')
    t.equal((await root.call('GET', '/api/user/')).status, 200, 'root has one')

    t.equal((await boss.must('GET', '/api/user/self')).must_set_up_factor, true)
    await withApp(boss)
    t.equal((await boss.must('GET', '/api/user/self')).must_set_up_factor, false)
    t.equal((await boss.call('GET', '/api/user/')).status, 200)
    t.equal((await management(url).call('GET', '/api/user/', undefined, script)).status, 200)

    await root.must('PUT', '/api/option/', { ...option, value: false })
    await knex('passkeys').where('id', rootPasskey.number).delete()
  },
)

t.test('[AUTH-2] an account that a passkey alone opens has no other way in', async (t) => {
  const ada = await person()
  const off = { enabled: false }
  const path = '/api/user/password_login'
  t.match(await ada.call('PUT', path, off), { status: 403 }, 'without a proof')
  t.match(
    await ada.call('PUT', path, off, await ada.prove('password_change', password)),
    { status: 409 },
    'without a passkey',
  )
  const { passkey, number } = await passkeyOf(ada)
  const client = await signedInWith(passkey)
  await client.must('PUT', path, off, await proofBy(passkey, client, 'password_change'))
  t.match(await management(url).login(ada.username, password), {
    status: 401,
    body: { code: 'invalid_credentials' },
  })
  t.equal((await client.must('GET', '/api/user/self')).password_off, true)
  t.equal((await (await signedInWith(passkey)).call('GET', '/api/user/self')).status, 200)

  for (const one of [`/${number}`, '']) {
    const proof = await proofBy(passkey, client, 'passkey_delete')
    const last = await client.call('DELETE', `/api/user/passkey${one}`, undefined, proof)
    t.match(last, { status: 409 }, 'the last way in stays')
  }
  t.match(
    await root.call('PUT', '/api/option/', { key: 'passkey.enabled', value: false }),
    { status: 409 },
    'nor can the operator take it away by the way',
  )

  await client.must(
    'PUT',
    path,
    { enabled: true },
    await proofBy(passkey, client, 'password_change'),
  )
  t.equal((await management(url).login(ada.username, password)).status, 200)
})

t.test(
  '[AUTH-2] who lost the passkey that alone opens an account is let in by an admin',
  async (t) => {
    const ada = await person()
    const { passkey } = await passkeyOf(ada)
    const client = await signedInWith(passkey)
    const proof = await proofBy(passkey, client, 'password_change')
    await client.must('PUT', '/api/user/password_login', { enabled: false }, proof)
    await root.must('DELETE', `/api/user/${ada.id}/reset_passkey`)
    t.equal((await management(url).login(ada.username, password)).status, 200)
  },
)

t.test('[AUTH-2] root keeps two passkeys where its password is off', async (t) => {
  const own = { id: 1, username: 'root' }
  const first = await passkeyOf(own)
  const client = await signedInWith(first.passkey)
  const off = async () => {
    const proof = await proofBy(first.passkey, client, 'password_change')
    return client.call('PUT', '/api/user/password_login', { enabled: false }, proof)
  }
  t.match(await off(), { status: 409 })
  const second = await passkeyOf(own)
  t.equal((await off()).status, 200)
  const proof = await proofBy(first.passkey, client, 'passkey_delete')
  const removed = await client.call(
    'DELETE',
    `/api/user/passkey/${second.number}`,
    undefined,
    proof,
  )
  t.match(removed, { status: 409 })
  await knex('users').where('id', 1).update({ password_off: false })
  await knex('passkeys').where('user_id', 1).delete()
  await root.login('root', password)
})

t.test(
  '[AUTH-2] sessions end by the times that are set, open ones too, and admins’ earlier',
  async (t) => {
    const [common, boss] = [await person(), await person(10)]
    const alive = async (client: Management) => (await client.call('GET', '/api/user/self')).status
    await root.option('SessionIdleMinutes', 60)
    await root.option('AdminSessionIdleMinutes', 15)
    clock.advance(14 * minute)
    t.same([await alive(common), await alive(boss)], [200, 200])
    clock.advance(15 * minute)
    t.same([await alive(common), await alive(boss)], [200, 401])
    clock.advance(60 * minute)
    t.equal(await alive(common), 401)

    const early = await person()
    await root.login('root', password)
    await root.option('SessionLifetimeHours', 1)
    clock.advance(59 * minute)
    t.equal(await alive(early), 200, 'it was used just now')
    clock.advance(minute)
    t.equal(await alive(early), 401)
    clock.advance(hour)
    await root.login('root', password)
    t.match(await root.call('PUT', '/api/option/', { key: 'SessionIdleMinutes', value: 4 }), {
      status: 400,
    })
    await root.option('AdminSessionIdleMinutes', 600)
    const late = await person(10)
    clock.advance(60 * minute)
    t.equal(await alive(late), 401, 'an admin’s is never longer than everybody’s')
  },
)

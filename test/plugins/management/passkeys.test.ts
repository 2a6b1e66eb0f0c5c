/** Passkeys over HTTP, with an authenticator in software: added, signed in with, verified with, and every way to cheat. */
import t from 'tap'
import { FakeClock } from '../../kit/clock.js'
import { startGateway } from '../../kit/gateway.js'
import { type Management, management } from '../../kit/management.js'
import { Passkey, type PasskeyBent } from '../../kit/passkey.js'

const origin = 'https://gateway.example'
const password = 'correct horse battery'
const clock = new FakeClock(Date.now())
const { url, admin, gateway } = await startGateway(t, { clock })
const { knex } = gateway.service('database')
await admin.option('ServerAddress', `${origin}/`)
let people = 0

const identity = gateway.service('identity')
const passwordHash = await identity.hash(password)

/** Not by the form of an admin, which hashes a password for each. */
async function enrolled() {
  const username = `ada${++people}`
  const person = { username, displayName: '', passwordHash, role: 1, group: 'default' }
  const id = await knex.transaction((trx) => identity.enroll(person, trx))
  return { username, id }
}

async function person(): Promise<Management & { username: string; id: number }> {
  const client = management(url)
  const { username, id } = await enrolled()
  await client.login(username, password)
  return { ...client, username, id }
}

const path = '/api/user/passkey'
const begin = (client: Management, ceremony: string, body: object = {}) =>
  client.must('POST', `${path}/${ceremony}/begin`, body)
const finish = (client: Management, ceremony: string, body: object) =>
  client.call('POST', `${path}/${ceremony}/finish`, body)

async function creation(client: Management) {
  const proof = await client.prove('passkey_register')
  return client.must('POST', `${path}/register/begin`, {}, proof)
}

/** Signed in with it; how it is added over HTTP is a test of its own. */
async function withPasskey() {
  const { passkeys } = gateway.service('factors')
  const { username, id } = await enrolled()
  const owner = { username, userId: id, sessionId: '00' }
  const passkey = new Passkey(origin)
  const made = passkey.create(await passkeys.beginRegistration(owner))
  const { id: number } = await passkeys.finishRegistration(owner, made, '', async () => {})
  const { client } = await signIn(passkey)
  return { client, passkey, number, username, id }
}

async function signIn(passkey: Passkey, bent: PasskeyBent = {}, client = management(url)) {
  const options = await begin(client, 'login')
  return { client, answer: await finish(client, 'login', passkey.get(options, bent)) }
}

async function step(client: Management, passkey: Passkey, bent: PasskeyBent = {}) {
  const options = await begin(client, 'verify', { scope: 'access_token' })
  return finish(client, 'verify', passkey.get(options, bent))
}

const failed = { status: 403, body: { code: 'verification_failed' } }

t.test('a passkey is added with a proof, and ends the other sessions', async (t) => {
  const client = await person()
  const other = management(url)
  await other.login(client.username, password)
  t.match(await client.call('POST', `${path}/register/begin`, {}), {
    status: 403,
    body: { code: 'verification_required' },
  })
  const options = await creation(client)
  t.match(options, {
    rp: { id: 'gateway.example', name: 'Waybill' },
    user: { name: client.username },
    attestation: 'none',
    excludeCredentials: [],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  const passkey = new Passkey(origin)
  const made = await finish(client, 'register', { ...passkey.create(options), name: ' Laptop ' })
  t.equal(made.status, 200)
  t.match(made.headers.get('set-cookie'), /^session=/)
  t.equal((await other.call('GET', '/api/user/self')).status, 401)
  const now = Math.floor(clock.now() / 1000)
  const record = {
    name: 'Laptop',
    created_at: now,
    last_used_at: null,
    backed_up: true,
    device_type: 'multiDevice',
  }
  t.match(await client.must('GET', path), {
    enabled: true,
    count: 1,
    last_used_at: null,
    passkeys: [record],
  })
  const list = JSON.stringify(await client.must('GET', path))
  t.notMatch(list, passkey.id)
})

t.test('who has a passkey verifies with it alone, with PIN or fingerprint', async (t) => {
  const { client, passkey } = await withPasskey()
  t.same((await client.must('GET', '/api/verify/methods')).methods, ['passkey'])
  t.match(
    await client.call('POST', '/api/verify', { method: 'password', password, scope: 'balance' }),
    { status: 403, body: { code: 'factor_required' } },
  )
  const answer = await step(client, passkey)
  t.match(answer.body.data, { proof_token: String, method: 'passkey', scope: 'access_token' })
  t.match(answer.headers.get('set-cookie'), /^session=/)
  t.match(await step(client, passkey, { userVerified: false }), failed)
  await admin.option('passkey.user_verification', 'discouraged')
  t.match(await step(client, passkey, { userVerified: false }), failed)
  await admin.option('passkey.user_verification', 'preferred')
  t.equal((await client.must('GET', path)).last_used_at, Math.floor(clock.now() / 1000))
})

t.test('somebody signs in with a passkey and no name', async (t) => {
  const { passkey, username } = await withPasskey()
  const { client, answer } = await signIn(passkey)
  t.match(answer, { status: 200, body: { data: { username } } })
  t.match(await client.must('GET', '/api/user/self'), { username })
  const options = await begin(client, 'login')
  t.same(options.allowCredentials ?? [], [], 'nobody is informed whose passkeys there are')
})

t.test('an answer from elsewhere, or for elsewhere, is refused', async (t) => {
  const { client, passkey } = await withPasskey()
  const bents: Record<string, PasskeyBent> = {
    'another origin': { origin: 'https://evil.example' },
    'a page below': { origin: 'https://gateway.example.evil.example' },
    'without HTTPS': { origin: 'http://gateway.example' },
    'another domain': { rpId: 'evil.example' },
  }
  for (const [name, bent] of Object.entries(bents)) {
    t.match((await signIn(passkey, bent)).answer, failed, `${name} at sign-in`)
    t.match(await step(client, passkey, bent), failed, `${name} at a step-up`)
    const ada = await person()
    const made = new Passkey(origin).create(await creation(ada), bent)
    t.match(await finish(ada, 'register', made), failed, `${name} at adding`)
  }
  t.match((await signIn(passkey, { userHandle: 'bm9ib2R5' })).answer, failed)
  t.equal((await signIn(passkey)).answer.status, 200)
})

t.test('the address a request names decides nothing', async (t) => {
  const { passkey } = await withPasskey()
  const client = management(url)
  const host = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
  const options = await client.must('POST', `${path}/login/begin`, {}, host)
  t.equal(options.rpId, 'gateway.example')
  const bent = { origin: 'https://evil.example', rpId: 'evil.example' }
  t.match(
    await client.call('POST', `${path}/login/finish`, passkey.get(options, bent), host),
    failed,
  )
})

t.test('a challenge counts once, for five minutes, for whom and what it was made', async (t) => {
  const { client, passkey } = await withPasskey()
  const expired = { status: 401, body: { code: 'sign_in_expired' } }
  const options = await begin(client, 'login')
  const stranger = management(url)
  t.equal((await finish(stranger, 'login', passkey.get(options))).status, 200)
  t.match(await finish(stranger, 'login', passkey.get(options)), expired, 'again')
  const late = await begin(stranger, 'login')
  clock.advance(300_000)
  t.match(await finish(stranger, 'login', passkey.get(late)), expired, 'late')
  t.match((await signIn(passkey, { challenge: 'A'.repeat(43) })).answer, expired, 'made up')
  const forVerify = await begin(client, 'verify', { scope: 'balance' })
  t.match(await finish(stranger, 'login', passkey.get(forVerify)), expired, 'of another ceremony')

  const eve = await withPasskey()
  const hers = await begin(eve.client, 'verify', { scope: 'balance' })
  t.match(await finish(client, 'verify', passkey.get(hers)), failed, "another user's challenge")
  const own = await begin(client, 'verify', { scope: 'balance' })
  t.match(await finish(client, 'verify', eve.passkey.get(own)), failed, "another user's passkey")
  const { client: second } = await signIn(passkey)
  const there = await begin(second, 'verify', { scope: 'balance' })
  t.match(await finish(client, 'verify', passkey.get(there)), failed, 'of another session')
  const before = await begin(client, 'verify', { scope: 'balance' })
  t.equal((await step(client, passkey)).status, 200)
  t.match(await finish(client, 'verify', passkey.get(before)), failed, 'the session is new since')

  const bob = await person()
  const made = await creation(bob)
  t.match(await finish(client, 'register', new Passkey(origin).create(made)), failed)
  t.match(await finish(bob, 'register', new Passkey(origin).create(made)), failed, 'it is spent')
})

t.test('of fifty who answer one challenge at once, one is let in', async (t) => {
  const { passkey } = await withPasskey()
  const options = await begin(management(url), 'login')
  const answer = passkey.get(options)
  const all = await Promise.all(
    Array.from({ length: 50 }, () => finish(management(url), 'login', answer)),
  )
  t.equal(all.filter(({ status }) => status === 200).length, 1)
})

t.test('a counter that does not move on is a copy: refused', async (t) => {
  const { client, passkey } = await withPasskey()
  t.equal((await signIn(passkey, { counter: 7 })).answer.status, 200)
  t.match((await signIn(passkey, { counter: 7 })).answer, failed)
  t.match((await signIn(passkey, { counter: 3 })).answer, failed)
  t.match((await signIn(passkey, { counter: 0 })).answer, failed)
  t.match(await step(client, passkey, { counter: 7 }), failed)
  t.equal((await signIn(passkey, { counter: 8 })).answer.status, 200)
})

t.test('an authenticator that does not count stays welcome', async (t) => {
  const client = await person()
  const passkey = new Passkey(origin)
  const made = passkey.create(await creation(client), { counter: 0 })
  t.equal((await finish(client, 'register', made)).status, 200)
  for (const _ of [1, 2]) t.equal((await signIn(passkey, { counter: 0 })).answer.status, 200)
})

t.test('a forged signature, and what is no answer at all, is refused', async (t) => {
  const { passkey } = await withPasskey()
  const forger = new Passkey(origin)
  const client = management(url)
  const forged = { ...forger.get(await begin(client, 'login')), id: passkey.id, rawId: passkey.id }
  const { userHandle } = passkey.get({ challenge: 'x' }).response
  forged.response.userHandle = userHandle
  t.match(await finish(client, 'login', forged), failed)
  const right = passkey.get(await begin(client, 'login'))
  const broken = { ...right, response: { ...right.response, authenticatorData: 'AAAA' } }
  t.match(await finish(client, 'login', broken), failed)
  const odd = { ...right, response: { ...right.response, clientDataJSON: 'bnVsbA' } }
  t.match(await finish(client, 'login', odd), { status: 401 })
  for (const body of [{}, { ...right, id: '../..' }, { ...right, type: 'password' }]) {
    t.equal((await finish(client, 'login', body)).status, 400)
  }
})

t.test('a passkey that cannot ask for a PIN, or brings certificates, is not taken', async (t) => {
  const client = await person()
  const bare = new Passkey(origin).create(await creation(client), { userVerified: false })
  t.match(await finish(client, 'register', bare), failed)
  const statement = new Map([['x5c', [new Uint8Array([1])]]])
  for (const format of ['packed', 'fido-u2f', 'tpm', 'android-key', 'apple']) {
    const bent = { attestation: { format, statement } }
    const made = new Passkey(origin).create(await creation(client), bent)
    t.match(await finish(client, 'register', made), failed, format)
  }
  t.equal((await client.must('GET', path)).count, 0)
})

t.test('one device is one passkey, and nobody has more than twenty', async (t) => {
  const { client, passkey, id } = await withPasskey()
  const bob = await person()
  const again = passkey.create(await creation(bob))
  t.match(await finish(bob, 'register', again), { status: 409 })
  const [row] = await knex('passkeys').where('user_id', id)
  const { id: _, ...columns } = row
  for (let at = 0; at < 19; at++) {
    await knex('passkeys').insert({ ...columns, credential_id: Buffer.from([at]) })
  }
  const answer = await step2(client, passkey, 'passkey_register')
  t.match(await client.call('POST', `${path}/register/begin`, {}, answer), { status: 409 })
})

async function step2(client: Management, passkey: Passkey, scope: string) {
  const options = await begin(client, 'verify', { scope })
  const { body } = await finish(client, 'verify', passkey.get(options))
  return { 'x-verification-token': body.data.proof_token }
}

t.test('a passkey is renamed by its owner, in one line that can be read', async (t) => {
  const { client, passkey, number } = await withPasskey()
  const bob = await person()
  const one = `${path}/${number}`
  t.match(await client.call('PUT', one, { name: ' Laptop ' }), {
    status: 200,
    body: { data: { id: number, name: 'Laptop' } },
  })
  t.match((await client.must('GET', path)).passkeys, [{ id: number, name: 'Laptop' }])
  for (const name of ['', ' ', 'x'.repeat(65), 'a\nb', 'a\u202eb', 7]) {
    t.match(await client.call('PUT', one, { name }), { status: 400, body: { field: 'name' } })
  }
  t.equal((await bob.call('PUT', one, { name: 'mine' })).status, 404)
  t.match((await client.must('GET', path)).passkeys, [{ name: 'Laptop' }])
  t.equal((await signIn(passkey)).answer.status, 200, 'the device knows nothing of it')
  const lines = await knex('audit_log').where({ action: 'passkeys.rename' })
  t.match(lines, [{ object: `passkey ${number}` }])
})

t.test('passkeys are deleted with a proof, by their owner', async (t) => {
  const { client, passkey, number } = await withPasskey()
  const bob = await withPasskey()
  const one = `${path}/${number}`
  t.equal((await client.call('DELETE', one)).status, 403)
  const his = await step2(bob.client, bob.passkey, 'passkey_delete')
  t.equal((await bob.client.call('DELETE', one, undefined, his)).status, 404)
  const { client: second } = await signIn(passkey)
  const proof = await step2(client, passkey, 'passkey_delete')
  t.equal((await client.call('DELETE', one, undefined, proof)).status, 200)
  t.equal((await second.call('GET', '/api/user/self')).status, 401, 'other sessions end')
  t.same(await client.must('GET', path), {
    enabled: false,
    count: 0,
    passkeys: [],
    last_used_at: null,
  })
  t.match((await signIn(passkey)).answer, failed)
  t.equal((await bob.client.call('DELETE', path)).status, 403)
  const all = await step2(bob.client, bob.passkey, 'passkey_delete')
  t.equal((await bob.client.call('DELETE', path, undefined, all)).status, 200)
  t.match(await bob.client.must('GET', path), { count: 0 })
})

t.test('a disabled user does not sign in with a passkey', async (t) => {
  const { passkey, id } = await withPasskey()
  await admin.must('POST', '/api/user/manage', { id, action: 'disable' })
  t.match((await signIn(passkey)).answer, { status: 403, body: { code: 'account_disabled' } })
})

t.test('without PIN a passkey is one factor, and an app is requested too', async (t) => {
  const { passkey, id } = await withPasskey()
  t.match((await signIn(passkey, { userVerified: false })).answer, { status: 200 })
  await knex('totp').insert({ user_id: id, secret_sealed: '', enabled_at: new Date() })
  const { answer } = await signIn(passkey, { userVerified: false })
  t.match(answer.body.data, { require_2fa: true })
  t.match((await signIn(passkey)).answer.body.data, { id })
  await admin.option('passkey.user_verification', 'required')
  t.match((await signIn(passkey, { userVerified: false })).answer, failed)
  await admin.option('passkey.user_verification', 'preferred')
})

t.test('the options say where passkeys are at home', async (t) => {
  const client = management(url)
  const place = async () => {
    const { status, body } = await client.call('POST', `${path}/login/begin`, {})
    return status === 200 ? body.data.rpId : body.code
  }
  const table: [Record<string, unknown>, string][] = [
    [{ ServerAddress: '' }, 'localhost'],
    [{ ServerAddress: 'http://gateway.example' }, 'conflict'],
    [{ 'passkey.allow_insecure_origin': true }, 'gateway.example'],
    [{ 'passkey.rp_id': 'example' }, 'example'],
    [{ 'passkey.rp_id': 'other.example' }, 'conflict'],
    [{ 'passkey.origins': 'https://a.other.example, https://other.example' }, 'other.example'],
    [{ 'passkey.enabled': false }, 'feature_off'],
  ]
  for (const [options, expected] of table) {
    for (const [key, value] of Object.entries(options)) await admin.option(key, value)
    t.equal(await place(), expected, JSON.stringify(options))
  }
})

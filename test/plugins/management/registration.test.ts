/** Joining by form, codes and links by mail, and addresses of one's own: what they answer, and what they keep to themselves. */
import t from 'tap'
import { Refusal } from '../../../kernel/toolkit/errors/refusal.js'
import createArea from '../../../plugins/management/registration/index.js'
import type { RateLimits } from '../../../plugins/services/rate-limits/index.js'
import { defaultTerms, joiningFixture, tally, verdict } from '../services/joining-fixture.js'
import {
  call,
  data,
  freeGuesses,
  password,
  passwordSignIn,
  settingsOf,
} from './management-fixture.js'

const gateway = await joiningFixture(t)
const { clock, log, mails, mailServer, terms, identity, database, person, registration } = gateway
const { knex } = database
const bot = { refuses: false }
const taken: [name: string, key: string][] = []
const limits = { full: '' }
const area = createArea({
  settings: settingsOf({}),
  clock,
  log,
  services: {
    ...gateway,
    challenge: {
      siteKey: () => undefined,
      require: async () => {
        if (bot.refuses) throw new Refusal('challenge_required')
      },
      work: async () => {},
    },
    guesses: {
      ...freeGuesses,
      slowly: async (_, { name }, key) => {
        taken.push([name, key])
        if (name === limits.full) throw new Refusal('work_required')
      },
    },
    'rate-limits': {
      take: async ({ name }: { readonly name: string }, key: string) => {
        taken.push([name, key])
        if (name === limits.full) throw new Refusal('rate_limit_exceeded', { seconds: 1 })
      },
      networkOf: (address: string) => address,
    } as unknown as RateLimits,
  },
})

t.beforeEach(() => {
  Object.assign(terms, defaultTerms)
  Object.assign(bot, { refuses: false })
  limits.full = ''
  mailServer.ready = true
  mails.length = 0
  taken.length = 0
})

let count = 0
const newName = () => `joiner${++count}`
const newAddress = () => `joiner${++count}@example.com`

const register = (body: object) => call(area, 'register', { body: { password, ...body } })
const userNamed = (username: string) => knex('users').where({ username }).first()
const lastValue = () => String(mails.at(-1)?.notice.values[0])

async function codeFor(email: string): Promise<string> {
  await data(area, 'sendCode', { query: { email } })
  return lastValue()
}

/** Somebody with an address of their own. */
async function owner(role = 1) {
  const principal = await person('owner', role)
  const email = newAddress()
  await knex('users').where({ id: principal.userId }).update({ email, email_verified: true })
  return { ...principal, email }
}

const signIn = (username: string, word = password) =>
  passwordSignIn(identity, { username, password: word, address: '', userAgent: '', secure: false })

async function resetToken(email: string): Promise<string> {
  await data(area, 'sendReset', { query: { email } })
  await area.stop?.()
  return String(new URL(lastValue()).searchParams.get('token'))
}

t.test('who registers can sign in, is shown nothing, and stands in the audit log', async (t) => {
  const username = newName()
  const answer = await register({ username, email: 'not.shown@example.com' })
  t.equal(answer.data, null)
  t.equal(answer.headers, undefined, 'no session is opened')
  const row = await userNamed(username)
  t.match(answer.audit, {
    actor: { userId: row.id, username, role: 1 },
    object: `user ${row.id}`,
  })
  t.match(row, { email: '', role: 1 })
  t.equal((await signIn(username)).principal.userId, row.id)
})

t.test('what a form may not hold', async (t) => {
  const rows: [object, string][] = [
    [{ username: 'two words' }, 'username'],
    [{ username: 'a@b.example' }, 'username'],
    [{ username: 'x'.repeat(33) }, 'username'],
    [{ username: 'a\0b' }, 'username'],
    [{ password: '1234567' }, 'password'],
    [{ password: 'ü'.repeat(65) }, 'password'],
    [{ email: 'none' }, 'email'],
    [{ aff_code: 'x'.repeat(65) }, 'aff_code'],
  ]
  for (const [over, param] of rows) {
    await t.rejects(register({ username: newName(), ...over }), { code: 'invalid_field', param })
  }
  const username = newName()
  await register({ username, role: 100, group: 'vip', quota: 5, inviter_id: 1 })
  t.match(await userNamed(username), { role: 1, group: 'default', inviter_id: null })
})

t.test('the doors are shut where the operator shut them', async (t) => {
  terms.byPassword = false
  t.equal(await verdict(register({ username: newName() })), 'feature_off')
  terms.byPassword = true
  bot.refuses = true
  t.equal(await verdict(register({ username: newName() })), 'challenge_required')
  const query = { email: newAddress() }
  t.equal(await verdict(data(area, 'sendCode', { query })), 'challenge_required')
  t.equal(await verdict(data(area, 'sendReset', { query })), 'challenge_required')
  bot.refuses = false
  mailServer.ready = false
  t.equal(await verdict(data(area, 'sendCode', { query })), 'mail_unavailable')
  t.equal(await verdict(data(area, 'sendReset', { query })), 'mail_unavailable')
  t.equal(mails.length, 0)
})

t.test('where addresses are verified, only who reads the mail joins', async (t) => {
  terms.verifiesEmail = true
  const [username, email] = [newName(), newAddress()]
  const refused = (param: string) => ({ code: 'invalid_field', param })
  await t.rejects(register({ username }), refused('email'))
  await t.rejects(register({ username, email }), refused('verification_code'))
  await t.rejects(register({ username, email, verification_code: '000000' }), {
    ...{ code: 'mail_code_invalid', param: 'verification_code' },
  })
  const verification_code = await codeFor(email.toUpperCase())
  t.equal(await verdict(register({ username: 'verified', email, verification_code })), 'done')
  t.equal(await verdict(register({ username, email, verification_code })), 'mail_code_invalid')
  t.match(await userNamed('verified'), { email, email_verified: true })
})

t.test('a name that is taken does not cost the code', async (t) => {
  const [username, email] = [newName(), newAddress()]
  await register({ username })
  const verification_code = await codeFor(email)
  t.equal(
    await verdict(register({ username: username.toUpperCase(), email, verification_code })),
    'conflict',
  )
  t.equal(await verdict(register({ username: newName(), email, verification_code })), 'done')
})

t.test('twenty who register one name, or one address, at once are one', async (t) => {
  const username = newName()
  const byName = Array.from({ length: 20 }, () => verdict(register({ username })))
  t.same(tally(await Promise.all(byName)), { done: 1, conflict: 19 })
  const email = newAddress()
  const verification_code = await codeFor(email)
  const byAddress = Array.from({ length: 20 }, () =>
    verdict(register({ username: newName(), email, verification_code })),
  )
  const answers = tally(await Promise.all(byAddress))
  t.equal(answers.done, 1)
  const rows = await knex('users').where({ email })
  t.equal(rows.length, 1)
})

t.test('the rules for addresses hold before a mail is sent', async (t) => {
  terms.restrictsDomains = true
  await t.rejects(codeFor('ada@elsewhere.example'), { code: 'invalid_field', param: 'email' })
  t.equal(mails.length, 0)
  t.same(taken, [])
})

t.test('mails are counted by caller and by address, known or not', async (t) => {
  const { email } = await owner()
  for (const requested of [email, newAddress()]) {
    taken.length = 0
    t.equal(
      await data(area, 'sendReset', { query: { email: requested }, address: '198.51.100.1' }),
      null,
    )
    t.same(taken, [
      ['mail-caller', '198.51.100.1'],
      ['mail', requested],
    ])
    for (const [name, code] of [
      ['mail-caller', 'rate_limit_exceeded'],
      ['mail', 'work_required'],
    ] as const) {
      limits.full = name
      const query = { email: requested }
      t.equal(await verdict(data(area, 'sendReset', { query })), code)
      t.equal(await verdict(data(area, 'sendCode', { query })), code)
    }
    limits.full = ''
  }
  // Mails that are on their way belong to this test.
  await area.stop?.()
})

t.test('an address that is taken gets a code as any other, and keeps its owner', async (t) => {
  const { email } = await owner()
  const verification_code = await codeFor(email)
  t.equal(mails.at(-1)?.address, email)
  const answer = register({ username: newName(), email, verification_code })
  await t.rejects(answer, { code: 'conflict', param: 'email' })
})

t.test(
  'a reset is answered before anybody is looked for, and again within the minute',
  async (t) => {
    const { email, userId } = await owner()
    for (const requested of [email, email, newAddress()]) {
      t.equal(await data(area, 'sendReset', { query: { email: requested } }), null)
    }
    t.equal(mails.length, 0, 'nothing was done yet')
    await area.stop?.()
    t.same(
      mails.map(({ address, notice }) => [address, notice.type]),
      [[email, 'reset']],
    )
    clock.advance(60_000)
    for (const fields of [{ status: 2 }, { status: 1, email_verified: false }]) {
      await knex('users').where({ id: userId }).update(fields)
      await data(area, 'sendReset', { query: { email } })
    }
    await area.stop?.()
    t.equal(mails.length, 1)
  },
)

t.test(
  'codes come in the language of the account, else of the browser, else of the gateway',
  async (t) => {
    const chinese = { 'accept-language': 'zh-CN,zh;q=0.9' }
    const title = () => mails.at(-1)?.notice.title ?? ''
    await data(area, 'sendCode', { query: { email: newAddress() }, headers: chinese })
    t.match(title(), /您的验证码/)
    t.match(mails.at(-1)?.notice.content, /\{\{value\}\}.*10 分钟/)
    await data(area, 'sendCode', { query: { email: newAddress() } })
    t.match(title(), /your code/)
    for (const [language, expected] of [
      ['en', /reset your password/],
      ['zh-TW', /重置密码/],
      [undefined, /重置密码/],
    ] as const) {
      const { email, userId } = await owner()
      await knex('users').where({ id: userId }).update({ setting: { language } })
      await data(area, 'sendReset', { query: { email }, headers: chinese })
      await area.stop?.()
      t.match(title(), expected, language ?? 'none chosen')
    }
  },
)

t.test('a reset sets a password, ends sessions and access token, once', async (t) => {
  const { email, userId, username } = await owner()
  const { cookie } = await signIn(username)
  const script = (await identity.accessTokens.replace({ userId, name: 'default' })).token
  const token = await resetToken(email)
  const reset = (body: object) => call(area, 'reset', { body: { email, token, ...body } })
  t.equal(await verdict(reset({ token: 'x'.repeat(43) })), 'mail_code_invalid')
  t.equal(await verdict(reset({ email: newAddress() })), 'mail_code_invalid')
  await t.rejects(reset({ password: 'short' }), { code: 'invalid_field', param: 'password' })
  const { data: drawn, audit } = await reset({})
  t.match(drawn, /^[A-Za-z2-9]{12}$/)
  t.match(audit, { actor: { userId, username }, object: `user ${userId}` })
  t.notMatch(JSON.stringify(audit), drawn)
  t.equal(await identity.principal({ headers: { cookie: cookie.split(';')[0] } }), undefined)
  t.equal(await identity.principal({ headers: { authorization: script } }), undefined)
  t.equal((await signIn(username, drawn)).principal.userId, userId)
  t.equal(await verdict(signIn(username)), 'invalid_credentials')
  t.equal(await verdict(reset({})), 'mail_code_invalid')
})

t.test(
  'of ten resets with one link, one counts; a password of choice is not reported',
  async (t) => {
    const { email, username } = await owner()
    const token = await resetToken(email)
    const words = Array.from({ length: 10 }, (_, index) => `a chosen word ${index}`)
    const answers = await Promise.all(
      words.map((word) =>
        data(area, 'reset', { body: { email, token, password: word } }).catch(
          (error) => error.code,
        ),
      ),
    )
    t.same(tally(answers), { null: 1, mail_code_invalid: 9 })
    t.ok(await signIn(username, words[answers.indexOf(null)]))
  },
)

t.test("an address becomes one's own with its code and a proof", async (t) => {
  const ada = await person('ada')
  const email = newAddress()
  const code = await codeFor(email)
  const bind = async (body: object, proof: object = {}, route = 'bindEmail') =>
    verdict(data(area, route, { principal: ada, body: { email, ...body }, ...proof }))
  t.equal(await bind({ verification_code: code }), 'session_required')
  const session = await gateway.proven(ada, 'balance')
  t.equal(
    await bind({ verification_code: code }, session),
    'verification_required',
    'of another scope',
  )
  const proof = await gateway.proven(ada, 'email_change')
  t.equal(await bind({ verification_code: code }, proof), 'done', 'the code was not spent in vain')
  t.match(await userNamed(ada.username), { email, email_verified: true })
  t.equal((await signIn(email)).principal.userId, ada.userId)

  const next = newAddress()
  const older = { code: await codeFor(next), email: next }
  t.equal(await bind(older, await gateway.proven(ada, 'email_change'), 'bindEmailAlias'), 'done')
  t.match(await userNamed(ada.username), { email: next })
})

t.test(
  'an address of somebody else stays theirs; one nobody showed to be theirs is free',
  async (t) => {
    const ada = await person('ada')
    const other = await owner()
    const bind = async (email: string) => {
      const verification_code = await codeFor(email)
      const proof = await gateway.proven(ada, 'email_change')
      return verdict(data(area, 'bindEmail', { body: { email, verification_code }, ...proof }))
    }
    t.equal(await bind(other.email), 'conflict')
    const claimed = newAddress()
    const squatter = await person('squatter')
    await knex('users').where({ id: squatter.userId }).update({ email: claimed })
    t.equal(await bind(claimed), 'done')
    t.match(await userNamed(squatter.username), { email: '' })
    terms.restrictsDomains = true
    t.equal(await verdict(bind('ada@elsewhere.example')), 'invalid_field')
  },
)

t.test("an invited newcomer is their inviter's", async (t) => {
  terms.quotaForInviter = 9
  const inviter = await person('inviter')
  const aff_code = await registration.invitationCode(inviter.userId)
  const username = newName()
  await register({ username, aff_code })
  t.match(await userNamed(username), { inviter_id: inviter.userId })
  t.match(await userNamed(inviter.username), { aff_quota: 9n, aff_count: 1 })
})

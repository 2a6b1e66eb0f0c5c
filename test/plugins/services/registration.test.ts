/** Joining: what a newcomer gets, what who invited them gets, and which addresses are taken. */
import t from 'tap'
import { defaultTerms, joiningFixture, tally, verdict } from './joining-fixture.js'

const gateway = await joiningFixture(t)
const { registration, terms, checks, database, ledger, identity, mailServer, person } = gateway
const { knex } = database

t.beforeEach(() => {
  Object.assign(terms, defaultTerms)
  mailServer.ready = true
})

let names = 0
const newName = () => `newcomer${++names}`

function join(over: object = {}): Promise<number> {
  const newcomer = {
    by: 'password',
    username: newName(),
    requestId: `r${++names}`,
    ...over,
  } as const
  return knex.transaction((trx) => registration.join(newcomer, trx))
}

const userOf = (id: number) => knex('users').where({ id }).first()

async function balance(userId: number): Promise<bigint> {
  return (await ledger.wallets([userId])).get(userId)?.posted ?? -1n
}

t.test(
  'a newcomer is a common user with a wallet, a code to invite others and nothing else',
  async (t) => {
    const id = await join({ username: 'Ada', displayName: '' })
    t.match(await userOf(id), { username: 'Ada', display_name: 'Ada', role: 1, group: 'default' })
    t.match(await userOf(id), { aff_code: /^[A-Z0-9]{6}$/, inviter_id: null, password_hash: '' })
    t.equal(await balance(id), 0n)
    t.same(await knex('tokens').where({ user_id: id }), [])
    t.same(await knex('transfers').where('idem_key', 'like', `%:${id}`), [])
  },
)

t.test('[BILL-2] newcomer, invited and inviter get what the options say, once each', async (t) => {
  Object.assign(terms, { quotaForNewUser: 100, quotaForInvitee: 20, quotaForInviter: 7 })
  const inviter = await person('inviter')
  const code = await registration.invitationCode(inviter.userId)
  t.equal(await registration.invitationCode(inviter.userId), code, 'a code stays')
  const id = await join({ invitationCode: code })
  t.equal(await balance(id), 120n)
  t.match(await userOf(id), { inviter_id: inviter.userId })
  const keys = await knex('transfers').where('idem_key', 'like', `%:${id}`).orderBy('id')
  t.same(
    keys.map(({ idem_key, kind, amount }) => [idem_key, kind, amount]),
    [
      [`grant:new:${id}`, 'grant', 100n],
      [`invite:invitee:${id}`, 'invite', 20n],
    ],
  )
  t.match(await userOf(inviter.userId), { aff_quota: 7n, aff_history: 7n, aff_count: 1 })
  t.equal(await balance(inviter.userId), 0n, 'rewards wait until they are moved')
  t.match(await knex('invitations').where({ invitee_id: id }).first(), {
    inviter_id: inviter.userId,
    reward: 7n,
  })
})

t.test('[BILL-2] twenty newcomers of one inviter at once bring twenty rewards', async (t) => {
  Object.assign(terms, { quotaForNewUser: 5, quotaForInvitee: 3, quotaForInviter: 2 })
  const inviter = await person('inviter')
  const invitationCode = await registration.invitationCode(inviter.userId)
  const ids = await Promise.all(Array.from({ length: 20 }, () => join({ invitationCode })))
  t.match(await userOf(inviter.userId), { aff_quota: 40n, aff_history: 40n, aff_count: 20 })
  t.same(await Promise.all(ids.map(balance)), Array(20).fill(8n))
  const rows = await knex('invitations').where({ inviter_id: inviter.userId })
  t.equal(rows.length, 20)
  const codes = await knex('users').whereIn('id', ids).pluck('aff_code')
  t.equal(new Set(codes).size, 20)
})

t.test('who cannot finish joining leaves nothing behind', async (t) => {
  Object.assign(terms, { quotaForNewUser: 5, quotaForInviter: 2 })
  const inviter = await person('inviter')
  const invitationCode = await registration.invitationCode(inviter.userId)
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => verdict(join({ username: 'onlyone', invitationCode }))),
  )
  t.same(tally(answers), { done: 1, conflict: 19 })
  t.match(await userOf(inviter.userId), { aff_quota: 2n, aff_count: 1 })
})

t.test('a code nobody has, or who may not invite any more, is no reason to refuse', async (t) => {
  terms.quotaForInvitee = 20
  const gone = await person('gone')
  const invitationCode = await registration.invitationCode(gone.userId)
  await knex('users').where({ id: gone.userId }).update({ status: 2 })
  for (const code of [invitationCode, 'NOBODYS', '', "'; --", 'x'.repeat(1_000)]) {
    const id = await join({ invitationCode: code })
    t.equal(await balance(id), 0n)
    t.match(await userOf(id), { inviter_id: null })
  }
})

t.test('whoever asks at once for a code gets the same', async (t) => {
  const { userId } = await person('asker')
  const codes = await Promise.all(
    Array.from({ length: 10 }, () => registration.invitationCode(userId)),
  )
  t.equal(new Set(codes).size, 1)
})

t.test('the first API key opens what it should, and is sealed', async (t) => {
  terms.firstToken = true
  const id = await join()
  const [token] = await knex('tokens').where({ user_id: id })
  const key = gateway.secrets.open(`tokens:${token.id}:key`, token.key_sealed)
  const found = await identity.byKey(`sk-${key}`, '198.51.100.7')
  t.equal(found.user.id, id)
  t.equal(token.key_tail, key.slice(-4))
  t.equal(token.limit_quota, null)
})

t.test('nobody joins where joining is off', async (t) => {
  terms.byPassword = false
  t.equal(await verdict(join()), 'feature_off')
  t.equal(await verdict(join({ by: 'oauth' })), 'done')
  t.throws(() => registration.admits('password'), { code: 'feature_off' })
  terms.open = false
  t.equal(await verdict(join({ by: 'oauth' })), 'feature_off')
})

t.test('only an address that is shown to be theirs is kept, and it counts for one', async (t) => {
  const claimed = await join({ email: 'claim@example.com' })
  t.match(await userOf(claimed), { email: '', email_verified: false })
  const mine = { email: 'Mine@Bücher.Example', emailVerified: true }
  const id = await join(mine)
  t.match(await userOf(id), { email: 'mine@xn--bcher-kva.example', email_verified: true })
  t.equal(await verdict(join(mine)), 'conflict')

  const squatter = await join()
  await knex('users').where({ id: squatter }).update({ email: 'late@example.com' })
  const owner = await join({ email: 'late@example.com', emailVerified: true })
  t.match(await userOf(owner), { email: 'late@example.com' })
  t.match(await userOf(squatter), { email: '' }, 'an address nobody showed to be theirs is free')
})

t.test('rules for addresses', async (t) => {
  const rows: [options: object, email: string, taken: boolean][] = [
    [{}, 'ada@anywhere.example', true],
    [{}, 'a+b.c@anywhere.example', true],
    [{}, 'no address', false],
    [{}, 'a@b', false],
    [{}, '@example.com', false],
    [{}, 'a..b@example.com', false],
    [{}, '.a@example.com', false],
    [{}, 'a@exa mple.com', false],
    [{}, 'a@example.com\nBcc: b@example.com', false],
    [{}, 'a@[127.0.0.1]', false],
    [{}, 'a@127.0.0.1', false],
    [{}, `${'a'.repeat(65)}@example.com`, false],
    [{ restrictsDomains: true }, 'ada@EXAMPLE.com', true],
    [{ restrictsDomains: true }, 'ada@sub.example.com', false],
    [{ restrictsDomains: true }, 'ada@example.com.evil.example', false],
    [{ restrictsDomains: true }, 'ada@notexample.com', false],
    [{ restrictsDomains: true, domains: 'bücher.example' }, 'ada@xn--bcher-kva.example', true],
    [{ restrictsDomains: true, domains: 'xn--bcher-kva.example' }, 'ada@BÜCHER.example', true],
    [{ refusesAliases: true }, 'ada+1@example.com', false],
    [{ refusesAliases: true }, 'a.d.a@example.com', false],
    [{ refusesAliases: true }, 'ada@example.com', true],
  ]
  for (const [options, email, taken] of rows) {
    Object.assign(terms, defaultTerms, options)
    const name = `${JSON.stringify(options)} ${email.slice(0, 40)}`
    if (taken) t.doesNotThrow(() => registration.checkEmail(email), name)
    else
      t.throws(
        () => registration.checkEmail(email),
        { code: 'invalid_field', param: 'email' },
        name,
      )
  }
})

t.test('switches that need something first stay off before it is there', async (t) => {
  const check = (key: string, text: string) => () => checks.get(key)?.(text)
  const refused = (key: string) => ({ code: 'invalid_field', param: key })
  mailServer.ready = false
  t.throws(check('EmailVerificationEnabled', 'true'), refused('EmailVerificationEnabled'))
  t.doesNotThrow(check('EmailVerificationEnabled', 'false'))
  mailServer.ready = true
  t.doesNotThrow(check('EmailVerificationEnabled', 'true'))

  terms.domains = ' '
  t.throws(check('EmailDomainRestrictionEnabled', 'true'), refused('EmailDomainRestrictionEnabled'))
  terms.domains = 'example.com'
  t.doesNotThrow(check('EmailDomainRestrictionEnabled', 'true'))
  terms.restrictsDomains = true
  t.throws(check('EmailDomainWhitelist', ''), refused('EmailDomainWhitelist'))
  t.throws(
    check('EmailDomainWhitelist', 'example.com, no domain!'),
    refused('EmailDomainWhitelist'),
  )
  t.doesNotThrow(check('EmailDomainWhitelist', '@example.com, bücher.example'))
})

t.test('a name is the one wished for where it is free and fits', async (t) => {
  const free = (wish: string | undefined) =>
    knex.transaction((trx) => registration.freeName(wish, 'github_', trx))
  t.equal(await free(' Grace '), 'Grace')
  await join({ username: 'Grace' })
  for (const wish of ['grace', 'two words', 'a@b.example', '', undefined, 'x'.repeat(33)]) {
    t.match(await free(wish), /^github_\d{6,9}$/)
  }
  const joined = Array.from({ length: 10 }, () =>
    knex.transaction(async (trx) => {
      const username = await registration.freeName('popular', 'github_', trx)
      return registration.join({ by: 'oauth', username, requestId: `r${++names}` }, trx)
    }),
  )
  const ids = await Promise.all(joined)
  const taken = await knex('users').whereIn('id', ids).pluck('username')
  t.equal(taken.filter((name) => name === 'popular').length, 1)
  t.equal(new Set(taken).size, 10)
})

t.test('who leaves is known by nothing any more', async (t) => {
  const id = await join({ email: 'leaver@example.com', emailVerified: true })
  await knex('oauth_identities').insert({ user_id: id, provider: 'github', subject: '7' })
  await identity.accessTokens.replace({ userId: id, name: 'default' })
  const leave = () => knex.transaction((trx) => registration.leave(id, trx))
  t.equal(await leave(), true)
  t.match(await userOf(id), {
    status: 2,
    aff_code: null,
    deleted_at: Date,
  })
  t.same(await knex('oauth_identities').where({ user_id: id }), [])
  t.same(await knex('access_tokens').where({ user_id: id }), [])
  t.equal((await ledger.wallets([id])).get(id)?.active, false)
  t.equal(await leave(), false)
  await join({ email: 'leaver@example.com', emailVerified: true })
})

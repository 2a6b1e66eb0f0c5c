/** API keys: who stands behind one, from memory where it can. */
import { createHash } from 'node:crypto'
import t, { type Test } from 'tap'
import type { Database, Statement } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/refusal.js'
import type { KeyRow } from '../../../plugins/services/identity/entry.js'
import { keyOf } from '../../../plugins/services/identity/key-text.js'
import { keyCache } from '../../../plugins/services/identity/keys.js'
import { FakeClock } from '../../kit/clock.js'
import { managementFixture } from '../management/management-fixture.js'

const here = '198.51.100.7'
const gateway = await managementFixture(t)
const absent = `sk-${'x'.repeat(48)}`

/** The refusal code, or who it is. */
async function who(work: () => unknown): Promise<unknown> {
  try {
    const found = await work()
    return found
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

async function verdict(key: string, address = here): Promise<string> {
  const found = await who(async () => {
    const { user, token } = await gateway.identity.byKey(key, address)
    return `${user.username.replace(/\d/g, '')}/${token.name}`
  })
  return String(found)
}

t.test('[AUTH-1] a key names its token and owner, with sk- or without', async (t) => {
  const { userId, username } = await gateway.person('ada')
  const { key, id } = await gateway.apiKey(userId, {
    name: 'laptop',
    group: 'vip',
    model_limits_enabled: true,
    model_limits: ['a', 'b'],
  })
  const { user, token } = await gateway.identity.byKey(key, here)
  const wallet = (await gateway.ledger.wallets([userId])).get(userId)
  t.same(user, {
    id: userId,
    username,
    role: 1,
    group: 'default',
    walletId: wallet?.accountId,
  })
  t.same(token, {
    id,
    name: 'laptop',
    group: 'vip',
    crossGroupRetry: true,
    routing: undefined,
    models: new Set(['a', 'b']),
  })
  t.equal(await verdict(key.slice(3)), 'ada/laptop')
})

t.test('a key carries the policy stored with it and the legacy switch', async (t) => {
  const { userId } = await gateway.person('ada')
  const routing = {
    version: 1,
    mode: 'manual',
    auto_route: '',
    groups: ['vip', 'default'],
    retry_on_failure: true,
  }
  const { key } = await gateway.apiKey(userId, {
    cross_group_retry: false,
    routing: JSON.stringify(routing),
  })
  t.match((await gateway.identity.byKey(key, here)).token, { crossGroupRetry: false, routing })
})

t.test('a channel named behind a key is reported, and the key is the same key', async (t) => {
  const { userId } = await gateway.person('ada')
  const { key, id } = await gateway.apiKey(userId)
  const names = async (text: string) => {
    const { token, pinned } = await gateway.identity.byKey(text, here)
    return [token.id, pinned]
  }
  t.same(await names(`${key}-7`), [id, 7], 'as the first use of the key')
  t.same(await names(`${key.slice(3)}-2147483647`), [id, 2_147_483_647])
  t.same(await names(key), [id, undefined])
  t.same(await names(`${key}-7`), [id, 7], 'from memory')
  await gateway.database.knex('tokens').where({ id }).update({ status: 2 })
  await gateway.tell('tokens', id)
  t.equal(await verdict(`${key}-7`), 'token_disabled')
})

t.test(
  '[AUTH-1] a text that cannot be a key is refused without a question to anyone',
  async (t) => {
    const texts = [
      '',
      'sk-',
      'sk-short',
      `${absent}x`,
      `${absent}-`,
      `${absent}-0`,
      `${absent}-07`,
      `${absent}-1-2`,
      `${absent}-one`,
      `${absent}-99999999999`,
      `${absent}-7\n`,
      `sk-${'-'.repeat(48)}`,
      `'; DROP TABLE tokens`,
    ]
    for (const text of texts) {
      await t.rejects(async () => gateway.identity.byKey(text, here), { code: 'invalid_api_key' })
    }
  },
)

t.test(
  '[AUTH-3] the state of token and owner decides, the deleted owner by a forbidden of its own',
  async (t) => {
    const past = new Date(gateway.clock.now() - 1)
    const rows = [
      // token                     owner                    verdict
      [{}, {}, 'ada/key'],
      [{ status: 2 }, {}, 'token_disabled'],
      [{ status: 3 }, {}, 'token_expired'],
      [{ status: 4 }, {}, 'ada/key'],
      [{ expires_at: past }, {}, 'token_expired'],
      [{ deleted_at: past }, {}, 'invalid_api_key'],
      [{}, { status: 2 }, 'user_disabled'],
      [{}, { status: 2, deleted_at: past }, 'token_owner_deleted'],
      [{ status: 2 }, { deleted_at: past }, 'token_owner_deleted'],
    ] as const
    for (const [at, [token, owner, expected]] of rows.entries()) {
      const { userId } = await gateway.person('ada')
      const { key } = await gateway.apiKey(userId, token as never)
      await gateway.database
        .knex('users')
        .where('id', userId)
        .update({ role: 1, ...owner })
      t.equal(await verdict(key), expected, `row ${at}`)
    }
    t.equal(new Refusal('token_owner_deleted').status, 403)
  },
)

t.test('a key expires while it is in memory', async (t) => {
  const { userId } = await gateway.person('ada')
  const { key } = await gateway.apiKey(userId, {
    expires_at: new Date(gateway.clock.now() + 1_000).toISOString(),
  })
  t.equal(await verdict(key), 'ada/key')
  gateway.clock.advance(1_000)
  t.equal(await verdict(key), 'token_expired')
})

t.test('a key with addresses is refused from elsewhere', async (t) => {
  const { userId } = await gateway.person('ada')
  const listed = await gateway.apiKey(userId, {
    allow_ips: ['10.0.0.0/8', '2001:db8::/32', '192.0.2.1', 'nonsense'] as never,
  })
  const useless = await gateway.apiKey(userId, { allow_ips: ['nonsense'] as never })
  const rows = [
    ['10.1.2.3', 'ada/key'],
    ['::ffff:10.1.2.3', 'ada/key'],
    ['11.1.2.3', 'access_denied'],
    ['192.0.2.1', 'ada/key'],
    ['192.0.2.2', 'access_denied'],
    ['2001:db8::1%eth0', 'ada/key'],
    ['2001:db9::1', 'access_denied'],
    ['', 'access_denied'],
    ['unknown', 'access_denied'],
  ] as const
  for (const [address, expected] of rows) {
    t.equal(await verdict(listed.key, address), expected, address)
  }
  t.equal(await verdict(useless.key, '10.1.2.3'), 'access_denied', 'no address is no freedom')
})

t.test('[AUTH-3] what changes in the database is heard at the next use', async (t) => {
  const { userId } = await gateway.person('ada')
  const { key, id } = await gateway.apiKey(userId)
  t.equal(await verdict(key), 'ada/key')

  await gateway.database.knex('tokens').where({ id }).update({ status: 2 })
  t.equal(await verdict(key), 'ada/key', 'memory answers until it hears of a change')
  await gateway.tell('tokens', id)
  t.equal(await verdict(key), 'token_disabled')

  await gateway.database.knex('tokens').where({ id }).update({ status: 1 })
  await gateway.tell('tokens', id)
  t.equal(await verdict(key), 'ada/key')
  await gateway.database.knex('users').where('id', userId).update({ status: 2 })
  await gateway.tell('users', userId)
  t.equal(await verdict(key), 'user_disabled')
})

// The cache by itself, over a database that answers when reported.

class HeldDatabase {
  readonly requests: number[] = []
  readonly statements: Statement[] = []
  private answers: ((rows: KeyRow[]) => void)[] = []

  readonly database = {
    query: (statement: Statement) =>
      new Promise((resolve) => {
        this.statements.push(statement)
        this.requests.push((statement.values[0] as Buffer[]).length)
        this.answers.push((rows) => resolve({ rows }))
      }),
  } as unknown as Database

  answer(...rows: KeyRow[]): void {
    this.answers.shift()?.(rows)
  }

  answerLast(...rows: KeyRow[]): void {
    this.answers.pop()?.(rows)
  }
}

const keyText = (letter: string) => letter.repeat(48)

function row(letter: string, over: Partial<KeyRow> = {}): KeyRow {
  return {
    record_level: null,
    record_until: null,
    hash: keyOf(keyText(letter)).hash,
    token_id: letter.charCodeAt(0),
    token_name: letter,
    token_status: 1,
    token_group: '',
    cross_group_retry: false,
    routing: null,
    model_limits_enabled: false,
    model_limits: [],
    allow_ips: [],
    expires_at: null,
    budget_quota: null,
    budget_period: null,
    rpm_limit: 0,
    tpm_limit: 0,
    user_id: 7,
    username: 'ada',
    role: 1,
    user_status: 1,
    user_group: 'default',
    user_deleted: false,
    wallet_id: 1,
    ...over,
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

function cacheOver(_t: Test) {
  const held = new HeldDatabase()
  const clock = new FakeClock()
  const cache = keyCache(held.database, clock)
  const find = (letter: string) =>
    who(async () => (await cache.find(keyOf(keyText(letter)), here)).token.name)
  return { held, clock, cache, find }
}

t.test('the misses of one turn are one question, each key queried once', async (t) => {
  const { held, cache, find } = cacheOver(t)
  const first = Promise.all([find('a'), find('b'), find('a'), find('c')])
  await turn()
  t.same(held.requests, [3])
  const late = find('a')
  await turn()
  t.same(held.requests, [3], 'who asks while the answer is on its way waits for it')
  held.answer(row('a'), row('b'))
  t.same(await first, ['a', 'b', 'a', 'invalid_api_key'])
  t.equal(await late, 'a')
  const again = cache.find(keyOf(keyText('a')), here)
  t.notOk(again instanceof Promise, 'a hit is synchronous')
})

t.test('a key is looked up by its hash, as a bound value (X13)', async (t) => {
  const { held, cache } = cacheOver(t)
  const found = cache.find(keyOf(`sk-${keyText('a')}`), here)
  await turn()
  held.answer(row('a'))
  await found
  const [statement] = held.statements
  const hash = createHash('sha256').update(keyText('a')).digest()
  t.same(statement?.values, [[hash]])
  t.match(statement?.text, /key_hash = ANY \(\$1::bytea\[\]\)/)
})

t.test(
  'an unknown key is requested again after ten seconds, or when a token changes',
  async (t) => {
    const { held, clock, cache, find } = cacheOver(t)
    const miss = find('a')
    await turn()
    held.answer()
    t.equal(await miss, 'invalid_api_key')
    t.equal(await find('a'), 'invalid_api_key')
    clock.advance(9_999)
    t.equal(await find('a'), 'invalid_api_key')
    t.equal(held.requests.length, 1)

    clock.advance(1)
    const second = find('a')
    await turn()
    held.answer()
    t.equal(await second, 'invalid_api_key')
    cache.dropTokens(new Set(['1']))
    const third = find('a')
    await turn()
    held.answer(row('a'))
    t.equal(await third, 'a')
    t.equal(held.requests.length, 3)
  },
)

t.test('what was read before a change is answered once and not kept', async (t) => {
  const { held, cache, find } = cacheOver(t)
  const before = find('a')
  await turn()
  cache.dropUsers(new Set(['7']))
  const after = find('a')
  await turn()
  t.equal(
    held.requests.length,
    2,
    'who asks after the change does not get the answer from before it',
  )
  held.answerLast(row('a', { user_status: 2 }))
  t.equal(await after, 'user_disabled')
  held.answer(row('a'))
  t.equal(await before, 'a')
  t.equal(await find('a'), 'user_disabled')
  t.equal(held.requests.length, 2)
})

t.test('a change drops the keys it touches and no others', async (t) => {
  const { held, cache, find } = cacheOver(t)
  const all = Promise.all([find('a'), find('b'), find('c')])
  await turn()
  held.answer(row('a'), row('b'), row('c', { user_id: 8 }))
  await all
  const inMemory = (letter: string) =>
    !(cache.find(keyOf(keyText(letter)), here) instanceof Promise)
  cache.dropTokens(new Set([String(row('a').token_id)]))
  t.same([inMemory('b'), inMemory('c')], [true, true])
  const a = find('a')
  await turn()
  held.answer(row('a'))
  await a
  cache.dropUsers(new Set(['7']))
  t.ok(inMemory('c'))
  const both = Promise.all([find('a'), find('b')])
  await turn()
  held.answer(row('a'), row('b'))
  t.same(await both, ['a', 'b'])
  t.same(held.requests, [3, 1, 2])
})

t.test('a database that does not answer is a 503, and the next caller asks again', async (t) => {
  let broken = true
  const database = {
    query: async () => {
      if (broken) throw new Error('connection lost')
      return { rows: [row('a')] }
    },
  } as unknown as Database
  const cache = keyCache(database, new FakeClock())
  const find = () => who(async () => (await cache.find(keyOf(keyText('a')), here)).token.name)
  t.equal(await find(), 'database_unavailable')
  broken = false
  t.equal(await find(), 'a')
})

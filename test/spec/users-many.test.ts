/** One change to many users: by ids or by a filter, with the rights of single changes, and each that stays is named. */
import type { Knex } from 'knex'
import t from 'tap'
import { startGateway } from '../kit/gateway.js'
import { management } from '../kit/management.js'

const password = 'a long password here'
const path = '/api/user/batch/edit'

t.test('many users are changed as far as the caller may change each of them', async (t) => {
  const { admin, gateway, url } = await startGateway(t)
  await admin.must('PUT', '/api/group/', { name: 'vip', ratio: 1 })
  const made = async (username: string, role = 1) =>
    (await admin.must('POST', '/api/user/', { username, password, role })).id
  const [ada, bea, boss] = [await made('ada'), await made('bea'), await made('boss', 10)]
  const own = management(url)
  await own.login('boss', password)
  const person = management(url)
  await person.login('ada', password)

  t.match(
    await own.must('POST', path, { ids: [ada, bea, boss, 1, 999], changes: { group: 'vip' } }),
    {
      ...{ changed: 2, refused_count: 3 },
      refused: [
        { id: boss, name: 'boss' },
        { id: 1, name: 'root' },
        { id: 999, name: '' },
      ],
    },
  )
  t.match(await admin.must('GET', `/api/user/${ada}`), { group: 'vip', status: 1 })
  t.match(await admin.must('GET', '/api/user/1'), { group: 'default' })
  await person.must('GET', '/api/user/self')

  const filter = { keyword: '', group: 'vip' }
  await t.rejects(own.must('POST', path, { filter, expected: 3, changes: { status: 2 } }), {
    message: /2 users match by now/,
  })
  t.match(await own.must('POST', path, { filter, expected: 2, changes: { status: 2 } }), {
    changed: 2,
  })
  await t.rejects(person.must('GET', '/api/user/self'), 'who is disabled is signed out')
  const { knex } = gateway.service('database')
  const wallets = await knex('accounts').whereIn('owner_id', [ada, bea]).where('kind', 'wallet')
  t.strictSame(
    wallets.map(({ active }) => active),
    [false, false],
  )
  await own.must('POST', path, { filter, changes: { status: 1 } })
  await person.login('ada', password)
  await own.must('POST', path, { ids: [ada], changes: { status: 1 } })
  await person.must('GET', '/api/user/self')

  await t.rejects(own.must('POST', path, { ids: [ada], changes: { group: 'none' } }), {
    message: /There is no group/,
  })
  await t.rejects(own.must('POST', path, { ids: [ada], changes: {} }))
  await t.rejects(person.must('POST', path, { ids: [bea], changes: { status: 2 } }))
  t.match(await admin.must('POST', path, { ids: [1], changes: { status: 2 } }), { changed: 0 })
})

t.test('10,000 users take few statements', async (t) => {
  const { admin, gateway } = await startGateway(t)
  const { knex } = gateway.service('database')
  await knex.raw(`INSERT INTO users (username, password_hash, display_name, role, status, "group")
    SELECT 'many' || n, '', 'many', 1, 1, 'default' FROM generate_series(1, 9990) AS n`)
  let count = 0
  knex.on('query', () => {
    count += 1
  })
  const begun = performance.now()
  const done = await admin.must('POST', path, {
    filter: { keyword: 'many' },
    changes: { status: 2 },
  })
  t.comment(`${Math.round(performance.now() - begun)} ms, ${count} statements`)
  t.match(done, { changed: 9990, refused_count: 0 })
  t.ok(count < 40, `${count} statements`)
})

const balance = '/api/user/batch/balance'

t.test(
  '[BILL-2] balances of many are moved once for each person, however often it is sent',
  async (t) => {
    const { admin, gateway } = await startGateway(t)
    const made = async (username: string, role = 1) =>
      (await admin.must('POST', '/api/user/', { username, password, role })).id
    const [ada, bea, boss] = [await made('ada'), await made('bea'), await made('boss', 10)]
    const quotas = async () => [await quotaOf(ada), await quotaOf(bea), await quotaOf(boss)]
    const quotaOf = async (id: number) => (await admin.must('GET', `/api/user/${id}`)).quota
    const move = async (body: object, key: string) => {
      const proof = await admin.prove('balance')
      const sent = { remark: 'for a test', ...body }
      return admin.call('POST', balance, sent, { ...proof, 'idempotency-key': key })
    }

    const first = { ids: [bea, ada, boss, 1, 999], mode: 'add', value: 500 }
    t.match((await move(first, 'a')).body.data, {
      ...{ changed: 3, refused_count: 2, moved: 1500 },
      refused: [{ id: 1, name: 'root' }, { id: 999 }],
    })
    t.match((await move(first, 'a')).body.data, { changed: 3, moved: 0 })
    t.strictSame(await quotas(), [500, 500, 500])
    t.match((await move({ ...first, value: 501 }, 'a')).body, { code: 'idempotency_key_reused' })

    await move({ ids: [ada], mode: 'override', value: 100 }, 'b')
    const taken = (await move({ ids: [ada, bea], mode: 'subtract', value: 300 }, 'c')).body.data
    t.match(taken, { changed: 1, moved: -300, refused: [{ id: ada, reason: /holds 100/ }] })
    t.strictSame(await quotas(), [100, 200, 500])

    const filter = { keyword: 'a', role: 1 }
    const wish = { filter, mode: 'override', value: 7 }
    t.match((await move(wish, 'd')).body, { code: 'invalid_field' }, 'a filter states how many')
    t.match((await move({ ...wish, expected: 9 }, 'e')).body, { code: 'invalid_field' })
    t.match((await move({ ...wish, expected: 2 }, 'f')).body.data, { changed: 2, moved: -286 })
    t.strictSame(await quotas(), [7, 7, 500])
    t.strictSame(await gateway.service('ledger').check(), [])

    const { items } = await admin.must('GET', '/api/audit/?action=users.moveMany')
    t.match(items.at(-1), {
      object: `users ${bea} ${ada} ${boss} 1 999`,
      detail: /1500 in all.*for a test/,
    })
  },
)

t.test(
  '[BILL-2] what broke off in the middle is moved to its exact end by the same request',
  async (t) => {
    const { admin, gateway } = await startGateway(t)
    const { knex } = gateway.service('database')
    await seed(knex, 60)
    const ids = await idsOf(knex)
    await knex.raw(`CREATE FUNCTION breaks() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'broken off'; END $$`)
    await knex.raw(`CREATE TRIGGER breaks BEFORE INSERT ON transfers FOR EACH ROW
    WHEN (NEW.idem_key LIKE '%/${ids[40]}') EXECUTE FUNCTION breaks()`)
    const move = async () => {
      const headers = { ...(await admin.prove('balance')), 'idempotency-key': 'once' }
      return admin.call('POST', balance, { ids, mode: 'add', value: 3, remark: 'gift' }, headers)
    }
    t.equal((await move()).status, 500)
    t.equal(await sumOf(knex), 25 * 3, 'whole parts stay')
    const { items } = await admin.must('GET', '/api/audit/?action=users.moveMany')
    t.match(items, [{ detail: 'begins: balance add 3: gift, 60 users' }], 'it is recorded before')
    await knex.raw('DROP TRIGGER breaks ON transfers')
    t.match((await move()).body.data, { changed: 60, moved: 35 * 3 })
    t.equal(await sumOf(knex), 60 * 3)
    t.strictSame(await gateway.service('ledger').check(), [])
  },
)

t.test(
  'many are deleted as far as the caller outranks them, and a repeat deletes nobody else',
  async (t) => {
    const { admin, url } = await startGateway(t)
    const made = async (username: string, role = 1) =>
      (await admin.must('POST', '/api/user/', { username, password, role })).id
    const [ada, bea, boss] = [await made('ada'), await made('bea'), await made('boss', 10)]
    const own = management(url)
    await own.login('boss', password)
    const person = management(url)
    await person.login('ada', password)
    const remove = '/api/user/batch/delete'

    await t.rejects(own.must('POST', remove, { filter: { role: 1 } }), { message: /expected/ })
    await t.rejects(own.must('POST', remove, { filter: { role: 1 }, expected: 9 }), {
      message: /2 users match by now/,
    })
    const ids = [ada, boss, 1]
    t.match(await own.must('POST', remove, { ids }), {
      ...{ changed: 1, refused_count: 2 },
      refused: [
        { id: boss, name: 'boss' },
        { id: 1, name: 'root' },
      ],
    })
    await t.rejects(person.must('GET', '/api/user/self'), 'who is deleted is signed out')
    t.match(await own.must('POST', remove, { ids }), {
      ...{ changed: 0, refused_count: 3 },
      refused: [{ id: ada, name: 'ada', reason: 'This user is deleted.' }, {}, {}],
    })
    await own.must('GET', `/api/user/${bea}`)
  },
)

t.test('a deletion of many that breaks off keeps whole parts, and is repeated', async (t) => {
  const { admin, gateway } = await startGateway(t)
  const { knex } = gateway.service('database')
  await seed(knex, 50)
  const ids = await idsOf(knex)
  await knex.raw(`CREATE FUNCTION breaks() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'broken off'; END $$`)
  await knex.raw(`CREATE TRIGGER breaks BEFORE UPDATE ON users FOR EACH ROW
    WHEN (OLD.id = ${ids[33]} AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION breaks()`)
  const left = async () => (await knex('users').whereIn('id', ids).whereNull('deleted_at')).length
  const filter = { keyword: 'many' }
  const remove = (body: object) => admin.call('POST', '/api/user/batch/delete', body)
  t.equal((await remove({ filter, expected: 50 })).status, 500)
  t.equal(await left(), 30, 'whole parts of 20 stay deleted')
  const { items } = await admin.must('GET', '/api/audit/?action=users.removeMany')
  t.match(items, [{ detail: 'begins: deletion, 50 users' }], 'it is recorded before')

  await knex.raw('DROP TRIGGER breaks ON users')
  const rest = (await remove({ filter, expected: 50 })).body.data
  t.match(rest, { changed: 30, refused_count: 20 }, 'a list of all holds who is deleted')
  t.equal(await left(), 0)
  t.strictSame(await gateway.service('ledger').check(), [])
})

t.test('no wallet is locked for long while 10,000 balances are moved', async (t) => {
  const { admin, gateway } = await startGateway(t)
  const { knex } = gateway.service('database')
  await seed(knex, 9_990)
  const ids = await idsOf(knex)
  const headers = await admin.prove('balance')
  const body = { ids, mode: 'add', value: 3, remark: 'gift' }
  const begun = performance.now()
  let isDone = false
  const moving = admin.call('POST', balance, body, headers).finally(() => {
    isDone = true
  })
  const waits: number[] = []
  for (let at = 0; at < 200 && !isDone; at++) {
    const id = ids[(at * 50) % ids.length]
    const asked = performance.now()
    await knex('accounts').where({ owner_id: id, kind: 'wallet' }).forNoKeyUpdate().select('id')
    waits.push(performance.now() - asked)
  }
  t.match((await moving).body.data, { changed: 9_990, moved: 29_970 })
  t.comment(`${Math.round(performance.now() - begun)} ms in all`)
  t.comment(
    `${waits.length} locks of wallets meanwhile, the longest ${Math.round(Math.max(...waits))} ms`,
  )
  t.ok(Math.max(...waits) < 2_000, 'no wallet is locked for long')
  t.equal(await sumOf(knex), 29_970)
})

async function seed(knex: Knex, count: number): Promise<void> {
  await knex.raw(
    `INSERT INTO users (username, password_hash, display_name, role, status, "group")
     SELECT 'many' || n, '', 'many', 1, 1, 'default' FROM generate_series(1, ?::int) AS n`,
    [count],
  )
}

async function idsOf(knex: Knex): Promise<readonly number[]> {
  return knex('users').where('display_name', 'many').orderBy('id').pluck('id')
}

async function sumOf(knex: Knex): Promise<number> {
  const { rows } = await knex.raw(`SELECT coalesce(sum(posted), 0) AS sum FROM accounts
    WHERE kind = 'wallet' AND owner_id IN (SELECT id FROM users WHERE display_name = 'many')`)
  return Number(rows[0].sum)
}

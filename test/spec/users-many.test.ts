/** One change to many users: by ids or by a filter, with the rights of single changes, and each that stays is named. */
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

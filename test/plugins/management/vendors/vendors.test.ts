/** Vendors as admins write and read them. */
import t from 'tap'
import { databaseKind } from '../../../kit/database.js'
import { admin, member, shelf } from '../models/shelf.js'

const gateway = await shelf(t)
const { must, call, database } = gateway

t.beforeEach(async () => {
  gateway.caller = admin
  await gateway.clear()
})

const make = (over: object = {}) => must('POST', '/api/vendors/', { name: 'Acme', ...over })

t.test('a vendor is made, read, changed, found and deleted', async (t) => {
  const made = await make({ description: 'two\nlines', icon: 'Acme.Color' })
  t.match(made, {
    id: Number,
    name: 'Acme',
    description: 'two\nlines',
    icon: 'Acme.Color',
    status: 1,
    created_time: Number,
    updated_time: Number,
  })
  t.ok(made.created_time > 1_600_000_000)
  const changed = await must('PUT', '/api/vendors/', { id: made.id, status: 0 })
  t.match(changed, { name: 'Acme', icon: 'Acme.Color', status: 0 }, 'what is left out stays')
  t.strictSame(await must('GET', `/api/vendors/${made.id}`), changed)
  await make({ name: '100% pure' })
  const page = await must('GET', '/api/vendors?page_size=1')
  t.match(page, { page: 1, page_size: 1, total: 2, items: [{ name: '100% pure' }] })
  const found = async (keyword: string) =>
    (await must('GET', `/api/vendors/search?keyword=${encodeURIComponent(keyword)}`)).items.map(
      ({ name }: { name: string }) => name,
    )
  t.strictSame(await found('acm'), ['Acme'])
  t.strictSame(await found('%'), ['100% pure'], 'a wildcard is a character')
  t.strictSame(await found('_'), [])
  await must('DELETE', `/api/vendors/${made.id}`)
  t.match(await call('GET', `/api/vendors/${made.id}`), { status: 404 })
})

t.test('bad values are refused by name and nothing is saved', async (t) => {
  const { id } = await make()
  const rows: readonly (readonly [string, object, number, string])[] = [
    ['POST', {}, 400, 'name'],
    ['POST', { name: ' ' }, 400, 'name'],
    ['POST', { name: 'x'.repeat(129) }, 400, 'name'],
    ['POST', { name: 'a\u0000b' }, 400, 'name'],
    ['POST', { name: 'x', description: 'a\u0000' }, 400, 'description'],
    ['POST', { name: 'x', status: 3 }, 400, 'status'],
    ['POST', { name: 'acme' }, 409, 'name'],
    ['PUT', { name: 'x' }, 400, 'id'],
    ['PUT', { id, icon: null }, 400, 'icon'],
    ['PUT', { id: 999_999, name: 'x' }, 404, 'id'],
  ]
  for (const [method, body, status, field] of rows) {
    const answer = await call(method, '/api/vendors/', body)
    t.match(answer, { status, body: { success: false, field } }, JSON.stringify(body))
  }
  t.equal((await must('GET', '/api/vendors/')).total, 1)
  t.match(await must('GET', `/api/vendors/${id}`), { name: 'Acme' })
  t.equal((await call('DELETE', '/api/vendors/999999')).status, 404)
})

t.test('[API-5] a vendor that models still name cannot be deleted', async (t) => {
  const { id } = await make()
  const first = await must('POST', '/api/models/', { model_name: 'a-1', vendor_id: id })
  const refused = await call('DELETE', `/api/vendors/${id}`)
  t.match(refused, {
    status: 409,
    body: { message: 'The vendor "Acme" cannot be deleted: 1 model names it.', data: null },
  })
  const second = await must('POST', '/api/models/', { model_name: 'a-2', vendor_id: id, status: 0 })
  t.match(await call('DELETE', `/api/vendors/${id}`), {
    status: 409,
    body: { message: 'The vendor "Acme" cannot be deleted: 2 models name it.' },
  })
  await must('DELETE', `/api/models/${first.id}`)
  await must('PUT', '/api/models/', { id: second.id, vendor_id: 0 })
  await must('DELETE', `/api/vendors/${id}`)
})

t.test('[API-5] the database itself lets no vendor go that a model names', async (t) => {
  const { id } = await make()
  await must('POST', '/api/models/', { model_name: 'a-1', vendor_id: id })
  await t.rejects(database.knex('vendors').where({ id }).delete(), {
    code: '23503',
    constraint: 'models_vendor_id_fkey',
  })
})

t.test('[API-5] whoever comes first, a model never names a vendor that is gone', async (t) => {
  for (let round = 0; round < 5; round++) {
    const { id } = await make({ name: `racer ${round}` })
    const [added, removed] = await Promise.all([
      call('POST', '/api/models/', { model_name: `m${round}`, vendor_id: id }),
      call('DELETE', `/api/vendors/${id}`),
    ])
    const outcome = `${added.status} ${removed.status}`
    t.ok(['200 409', '400 200'].includes(outcome), outcome)
    if (added.status === 400) t.equal(added.body.field, 'vendor_id')
  }
})

t.test(
  '[API-5] a deletion waits for a model that is just being written',
  { skip: databaseKind === 'pglite' && 'needs two sessions at once' },
  async (t) => {
    const { id } = await make()
    const writing = await database.knex.transaction()
    await writing('models').insert({ model_name: 'slow', vendor_id: id })
    const removal = call('DELETE', `/api/vendors/${id}`)
    while (!(await waits()));
    await writing.commit()
    t.equal((await removal).status, 409)
  },
)

/** Somebody in this database waits for a lock. */
async function waits(): Promise<boolean> {
  const { rows } = await database.knex.raw(
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  )
  return rows.length > 0
}

t.test('vendors are for admins', async (t) => {
  gateway.caller = member
  t.equal((await call('GET', '/api/vendors/')).status, 403)
  gateway.caller = undefined
  t.equal((await call('POST', '/api/vendors/', { name: 'x' })).status, 401)
})

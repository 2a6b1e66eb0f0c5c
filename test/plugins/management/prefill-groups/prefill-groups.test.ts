/** Prefill groups as admins write and read them. */
import t from 'tap'
import { admin, member, shelf } from '../models/shelf.js'

const gateway = await shelf(t)
const { must, call, database } = gateway

t.beforeEach(async () => {
  gateway.caller = admin
  await database.knex('prefill_groups').delete()
})

const path = '/api/prefill_group/'
const form = { name: 'usual', type: 'model', items: ['b', 'a'] }
const make = (over: object = {}) => must('POST', path, { ...form, ...over })

t.test('a group is made, listed by type, changed and deleted', async (t) => {
  const made = await make({ description: 'what most channels serve' })
  t.strictSame(made, { id: made.id, ...form, description: 'what most channels serve' })
  const address = { 'own-2': '/b', own: '/a' }
  const endpoint = await make({ type: 'endpoint', items: JSON.stringify(address) })
  t.strictSame(Object.keys(endpoint.items), ['own-2', 'own'], 'in the order they were written in')
  t.strictSame(await must('GET', path), [endpoint, made])
  t.strictSame(await must('GET', `${path}?type=model`), [made])
  t.strictSame(await must('GET', `${path}?type=`), [endpoint, made])
  t.strictSame(await must('GET', `${path}?type=tag`), [])
  const changed = await must('PUT', path, { id: made.id, items: ['c'], type: 'tag' })
  t.strictSame(changed, { ...made, type: 'tag', items: ['c'] }, 'what is left out stays')
  await must('DELETE', `${path}${made.id}`)
  t.strictSame(await must('GET', path), [endpoint])
})

t.test('bad values are refused by name and nothing is saved', async (t) => {
  const { id } = await make()
  const rows: readonly (readonly [string, object, number, string])[] = [
    ['POST', { ...form, name: '' }, 400, 'name'],
    ['POST', { ...form, type: 'channel' }, 400, 'type'],
    ['POST', form, 409, 'name'],
    ['POST', { ...form, name: 'x', items: undefined }, 400, 'items'],
    ['POST', { ...form, name: 'x', items: null }, 400, 'items'],
    ['POST', { ...form, name: 'x', items: 'null' }, 400, 'items'],
    ['POST', { ...form, name: 'x', items: 5 }, 400, 'items'],
    ['POST', { ...form, name: 'x', items: '[' }, 400, 'items'],
    ['POST', { ...form, name: 'x', items: { a: '/a' } }, 400, 'items'],
    ['POST', { ...form, name: 'x', items: [1] }, 400, 'items'],
    ['POST', { ...form, name: 'x', items: ['a', ' '] }, 400, 'items'],
    ['POST', { ...form, name: 'x', items: Array(1001).fill('a') }, 400, 'items'],
    ['PUT', { id, items: [''] }, 400, 'items'],
    ['PUT', { id: 999_999, name: 'x' }, 404, 'id'],
  ]
  for (const [method, body, status, field] of rows) {
    const answer = await call(method, path, body)
    t.match(answer, { status, body: { success: false, field } }, JSON.stringify(body).slice(0, 80))
  }
  const endpoint = await make({ type: 'endpoint', items: { own: '/a' } })
  t.match(
    await call('PUT', path, { id: endpoint.id, type: 'tag' }),
    { status: 400, body: { field: 'items' } },
    'items stored earlier must suit a new type',
  )
  t.equal((await must('GET', path)).length, 2)
  t.equal((await call('DELETE', `${path}999999`)).status, 404)
})

t.test('groups are for admins', async (t) => {
  gateway.caller = member
  t.equal((await call('GET', path)).status, 403)
})

/** What admins do to groups, over a whole gateway. */
import t from 'tap'
import { startGateway } from '../../kit/gateway.js'

const { admin } = await startGateway(t)
const channel = (name: string, group: string) =>
  admin.channel({ type: 1, name, key: 'k', models: `${name}-model`, group })

async function group(name: string) {
  const rows = await admin.must('GET', '/api/group/all')
  return rows.find((row: { name: string }) => row.name === name)
}

t.test('a group is made, changed in parts, and told with what stands in it', async (t) => {
  const made = await admin.must('PUT', '/api/group/', { name: 'gold', ratio: 0.5 })
  t.strictSame(made, {
    name: 'gold',
    ratio: 0.5,
    usable: false,
    desc: '',
    special_ratios: {},
    channels: 0,
    users: 0,
    auto_routes: 0,
  })
  await admin.must('PUT', '/api/group/', { name: 'gold', usable: true, desc: 'The best' })
  t.match(await group('gold'), { ratio: 0.5, usable: true, desc: 'The best' })
  await admin.must('PUT', '/api/group/', { name: 'gold', ratio: 0.1 })
  t.match(await group('gold'), { ratio: 0.1, usable: true, desc: 'The best' })
  await admin.option('GroupGroupRatio', { vip: { gold: 0 } })
  t.match(await group('gold'), { special_ratios: { vip: 0 } })
  await admin.must('PUT', '/api/group/', { name: 'gold', usable: false })
  t.match(await group('gold'), { usable: false })
  t.match(await group('default'), { ratio: 1, users: 1, auto_routes: 1 }, 'others are untouched')
})

t.test('two admins who change different groups at once lose nothing', async (t) => {
  const names = Array.from({ length: 8 }, (_, index) => `race-${index}`)
  await Promise.all(names.map((name) => admin.must('PUT', '/api/group/', { name, ratio: 2 })))
  for (const name of names) t.match(await group(name), { ratio: 2 }, name)
})

t.test('a group something stands in is not deleted', async (t) => {
  await admin.must('PUT', '/api/group/', { name: 'busy', ratio: 1 })
  const id = await channel('busy', 'busy')
  const refused = await admin.call('DELETE', '/api/group/busy')
  t.equal(refused.status, 409)
  t.match(refused.body.message, /channels: 1/)
  await admin.must('DELETE', `/api/channel/${id}`)
  await admin.must('DELETE', '/api/group/busy')
  t.equal(await group('busy'), undefined)
  t.equal((await admin.call('DELETE', '/api/group/busy')).status, 404)
})

t.test('what is no group is refused by name, and nothing is saved', async (t) => {
  const before = await admin.must('GET', '/api/group/all')
  const table: readonly (readonly [object, string])[] = [
    [{ ratio: 1 }, 'name'],
    [{ name: '', ratio: 1 }, 'name'],
    [{ name: 'a,b', ratio: 1 }, 'name'],
    [{ name: 'constructor', ratio: 1 }, 'name'],
    [{ name: 'fresh' }, 'ratio'],
    [{ name: 'fresh', ratio: -1 }, 'ratio'],
    [{ name: 'fresh', ratio: 'much' }, 'ratio'],
    [{ name: 'fresh', ratio: 1, usable: 'perhaps' }, 'usable'],
  ]
  for (const [body, field] of table) {
    const { status, body: answer } = await admin.call('PUT', '/api/group/', body)
    t.match({ status, field: answer.field }, { status: 400, field }, JSON.stringify(body))
  }
  t.strictSame(await admin.must('GET', '/api/group/all'), before)
})

t.test('users are told the models they may use, of a group where they name one', async (t) => {
  await channel('plain', 'default')
  await channel('noble', 'vip')
  t.strictSame(await admin.must('GET', '/api/user/models'), ['plain-model'])
  t.strictSame(await admin.must('GET', '/api/user/models?group=vip'), ['noble-model'])
  t.equal((await admin.call('GET', '/api/user/models?group=nowhere')).status, 403)
})

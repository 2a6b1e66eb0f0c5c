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

t.test('a group is made, changed in parts, and reported with what stands in it', async (t) => {
  const made = await admin.must('PUT', '/api/group/', { name: 'gold', ratio: 0.5 })
  t.strictSame(made, {
    name: 'gold',
    ratio: 0.5,
    usable: false,
    desc: '',
    special_ratios: {},
    also_usable: [],
    not_usable: [],
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

t.test(
  'what a group states of others is changed as a whole, and goes with the group',
  async (t) => {
    const stored = async (key: string) => {
      const options = await admin.must('GET', '/api/option/')
      return JSON.parse(options.find((one: { key: string }) => one.key === key).value)
    }
    const exceptions = 'group_ratio_setting.group_special_usable_group'
    for (const name of ['north', 'south', 'east']) {
      await admin.must('PUT', '/api/group/', { name, ratio: 1 })
    }
    await admin.option('GroupGroupRatio', { east: { south: 0.7, north: 0.6 }, vip: { gold: 0 } })
    await admin.option(exceptions, { east: { south: 'As it was told', '-:north': '' } })
    t.match(await group('east'), { also_usable: ['south'], not_usable: ['north'] })
    await admin.must('PUT', '/api/group/', {
      name: 'north',
      special_ratios: { south: 0.5, north: 2 },
    })
    t.strictSame(await stored('GroupGroupRatio'), {
      east: { south: 0.7 },
      vip: { gold: 0 },
      south: { north: 0.5 },
      north: { north: 2 },
    })
    await admin.must('PUT', '/api/group/', { name: 'east', also_usable: ['south', 'gold'] })
    t.strictSame(await stored(exceptions), {
      east: { south: 'As it was told', '+:gold': 'gold', '-:north': '' },
    })
    const table: readonly (readonly [object, string])[] = [
      [{ special_ratios: { nobody: 1 } }, 'special_ratios'],
      [{ special_ratios: { south: -1 } }, 'special_ratios.south'],
      [{ also_usable: ['nobody'] }, 'also_usable'],
      [{ not_usable: ['gold'] }, 'not_usable'],
    ]
    for (const [fields, field] of table) {
      const { status, body } = await admin.call('PUT', '/api/group/', { name: 'east', ...fields })
      t.match({ status, field: body.field }, { status: 400, field }, JSON.stringify(fields))
    }
    await admin.must('DELETE', '/api/group/south')
    t.strictSame(await stored('GroupGroupRatio'), { vip: { gold: 0 }, north: { north: 2 } })
    t.strictSame(await stored(exceptions), { east: { '+:gold': 'gold', '-:north': '' } })
  },
)

t.test('who makes a group changes none, and who changes one makes none', async (t) => {
  await admin.must('PUT', '/api/group/', { name: 'dawn', ratio: 0.7, desc: 'Early', usable: true })
  const again = { name: 'dawn', ratio: 3, is_new: true }
  const { status, body } = await admin.call('PUT', '/api/group/', again)
  t.match({ status, field: body.field }, { status: 409, field: 'name' })
  t.match(await group('dawn'), { ratio: 0.7, desc: 'Early' })
  const route = await admin.call('PUT', '/api/group/', { name: 'auto', ratio: 1, is_new: true })
  t.match({ status: route.status, field: route.body.field }, { status: 409, field: 'name' })
  await admin.must('PUT', '/api/group/', { name: 'dawn', ratio: 0.6, is_new: false })
  await admin.must('DELETE', '/api/group/dawn')
  const late = await admin.call('PUT', '/api/group/', { name: 'dawn', ratio: 1, is_new: false })
  t.match({ status: late.status, field: late.body.field }, { status: 404, field: 'name' })
  t.equal(await group('dawn'), undefined)
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

t.test('users are shown the models they may use, of a group where they name one', async (t) => {
  await channel('plain', 'default')
  await channel('noble', 'vip')
  t.strictSame(await admin.must('GET', '/api/user/models'), ['plain-model'])
  t.strictSame(await admin.must('GET', '/api/user/models?group=vip'), ['noble-model'])
  t.equal((await admin.call('GET', '/api/user/models?group=nowhere')).status, 403)
})

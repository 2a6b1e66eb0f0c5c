/** One change to many channels: by ids, or whoever a filter finds; and lists by breaker and in order of what was spent. */
import t from 'tap'
import { channelArea } from './channel-area.js'
import { managementFixture } from './management-fixture.js'

const gateway = await managementFixture(t)
const { database, channels } = gateway
const resting: { channelId: number; state: 'open' | 'parked' }[] = []
const { ask, create, list, read } = channelArea(gateway, resting as never)

/** In the order of their ids. */
const made = async (count: number, over: object) => {
  const ids = Array.from({ length: count }, async () => (await create(over)).id as number)
  return (await Promise.all(ids)).sort((one, other) => one - other)
}
const edit = (which: object, changes: object) => ask('changeMany', { ...which, changes })
const idsOf = ({ items }: { items: { id: number }[] }) => items.map(({ id }) => id)

t.test('[CHAN-6] names come and go, and nothing else of a channel changes', async (t) => {
  const [a, b] = (await made(2, { models: 'x,y', group: 'default,vip', priority: 3 })) as [
    number,
    number,
  ]
  const models = { add: ['z', 'x'], remove: ['y'] }
  t.same(await edit({ ids: [a] }, { models, weight: 7, tag: 'many' }), {
    ...{ changed: 1, refused_count: 0, refused: [] },
  })
  t.match(await read(a), { models: 'x,z', group: 'default,vip', weight: 7, tag: 'many' })
  t.match(await read(a), { priority: 3, status: 1 })
  t.match(await read(b), { models: 'x,y', tag: '' })
  t.same([...(channels.get(a)?.models ?? [])], ['x', 'z'], 'requests see it at once')
  await edit({ ids: [a, b] }, { groups: { replace: ['free'] }, priority: -2, status: 2 })
  for (const id of [a, b]) {
    const { group, priority, status, other_info } = await read(id)
    t.same([group, priority, status], ['free', -2, 2])
    t.match(other_info, /Switched off by ada/)
  }
  await database.knex('channels').where({ id: a }).update({ status_reason: 'the first' })
  await edit({ ids: [a, b] }, { status: 2 })
  t.match(await read(a), { other_info: /the first/ }, 'what is off already keeps its reason')
  await edit({ ids: [a, b] }, { status: 1 })
  t.match(await read(a), { status: 1, other_info: '' })
})

t.test('[CHAN-6] a channel that would be left without models stays, and is named', async (t) => {
  const [a, b] = (await made(2, { models: 'only' })) as [number, number]
  const c = (await create({ models: 'only,more', name: 'rich' })).id
  const done = await edit({ ids: [a, b, c, 999_999] }, { models: { remove: ['only'] }, weight: 9 })
  t.match(done, { changed: 1, refused_count: 3 })
  t.match(done.refused, [
    { id: 999_999, name: '', reason: /no such channel/ },
    { id: a, name: 'one', reason: /no model/ },
    { id: b },
  ])
  t.match(await read(a), { models: 'only', weight: 0 }, 'nothing of it was changed')
  t.match(await read(c), { models: 'more', weight: 9 })
  for (const changes of [{}, { models: {} }, { models: { replace: [] } }, { weight: -1 }]) {
    await t.rejects(edit({ ids: [a] }, changes), { code: 'invalid_field' })
  }
  const both = { replace: ['x'], add: ['y'] }
  await t.rejects(edit({ ids: [a] }, { models: both }), { code: 'invalid_field' })
  await t.rejects(edit({}, { weight: 1 }), { code: 'invalid_field' })
  await t.rejects(edit({ ids: [a], filter: {} }, { weight: 1 }), { code: 'invalid_field' })
})

t.test('all that a filter finds are changed, as many as were shown and no others', async (t) => {
  const ids = await made(30, { tag: 'crowd' })
  const filter = { tag: 'crowd' }
  await t.rejects(edit({ filter, expected: 29 }, { weight: 4 }), {
    ...{ code: 'invalid_field', param: 'expected' },
  })
  t.match(await read(ids[0]!), { weight: 0 }, 'nothing was changed')
  t.match(await edit({ filter, expected: 30 }, { weight: 4 }), { changed: 30 })
  t.equal((await list({ tag: 'crowd' })).items[0].weight, 4)
  resting.push({ channelId: ids[3]!, state: 'open' }, { channelId: ids[4]!, state: 'parked' })
  const open = { tag: 'crowd', breaker: 'open' }
  t.match(await edit({ filter: open }, { weight: 5 }), { changed: 1 })
  t.match(await read(ids[3]!), { weight: 5 })
  t.equal(await ask('removeIds', { filter: { tag: 'crowd', breaker: 'closed' } }), 28)
  t.same(idsOf(await list({ tag: 'crowd' })).sort(), [ids[3]!, ids[4]!].sort())
})

t.test('a change to many takes as many statements as a change to one', async (t) => {
  const cost = async (ids: readonly number[]) => {
    let statements = 0
    const count = () => {
      statements += 1
    }
    database.knex.on('query', count)
    await edit({ ids }, { models: { add: ['new'] }, groups: { add: ['vip'] }, status: 1 })
    database.knex.removeListener('query', count)
    return statements
  }
  const [one, many] = [await made(1, {}), await made(40, {})]
  t.equal(await cost(many), await cost(one))
})

t.test('a list finds channels by their breakers', async (t) => {
  const [a, b, c] = (await made(3, { tag: 'breakers' })) as [number, number, number]
  resting.push({ channelId: a, state: 'open' }, { channelId: b, state: 'parked' })
  const found = async (breaker: string) => idsOf(await list({ tag: 'breakers', breaker }))
  t.same(await found('open'), [a])
  t.same(await found('parked'), [b])
  t.same(await found('closed'), [c])
  t.equal((await found('')).length, 3)
  const { total, type_counts } = await list({ tag: 'breakers', breaker: 'open' })
  t.match({ total, type_counts }, { total: 1, type_counts: { all: 1 } })
})

t.test('ten thousand are changed in one request, and one more is refused', async (t) => {
  const insert = (count: number) =>
    database.knex.raw(
      `INSERT INTO channels (type, name, models, groups, tag)
       SELECT 1, 'Channel ' || n, (SELECT array_agg('model-' || m) FROM generate_series(1, 30) AS m),
         ARRAY['default'], 'ten thousand'
       FROM generate_series(1, ?::int) AS n`,
      [count],
    )
  await insert(10_000)
  const filter = { tag: 'ten thousand' }
  const start = performance.now()
  const models = { add: ['another'], remove: ['model-3'] }
  t.match(await edit({ filter, expected: 10_000 }, { models, weight: 3 }), { changed: 10_000 })
  t.comment(`ten thousand channels were changed in ${Math.round(performance.now() - start)} ms`)
  const first = performance.now()
  const { total } = await list({ tag: 'ten thousand', sort_by: 'used_quota', sort_order: 'desc' })
  t.equal(total, 10_000)
  t.comment(`a page in order of what was spent took ${Math.round(performance.now() - first)} ms`)
  await insert(1)
  const refused = { code: 'invalid_field', param: 'filter' }
  await t.rejects(edit({ filter }, { weight: 4 }), refused)
})

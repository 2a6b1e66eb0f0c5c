/** Which channel takes the next try: groups, tiers, what failed before, ties, pins and keys. */
import t from 'tap'
import type { AttemptTrace } from '../../../kernel/contract/line/attempt.js'
import type { Channel, Route } from '../../../kernel/contract/line/channel.js'
import type { AdapterQuery } from '../../../kernel/contract/services/providers.js'
import { picker } from '../../../plugins/services/routing/pick.js'
import type { PickQuery } from '../../../plugins/services/routing/routing.js'
import { brokenUpstream, channel, FakeClaim } from '../../kit/line-fakes.js'

const adapter = {
  format: 'chat' as const,
  address: () => ({ method: 'POST' as const, url: '', headers: {} }),
  fail: () => brokenUpstream,
}

/** A provider that serves nothing. */
const useless = 9

interface Fixture {
  readonly channels: readonly Channel[]
  readonly retries?: number
  /** `channel/key` whose breaker is open. */
  readonly open?: readonly string[]
  /** Of these, whose trial may go before its time. */
  readonly spared?: readonly string[]
}

function setup({ channels, retries = 2, open = [], spared = [] }: Fixture) {
  const claimed: string[] = []
  const requests: AdapterQuery[] = []
  const byId = new Map(channels.map((one) => [one.id, one]))

  function tiers(group: string, model: string) {
    const here = channels.filter(
      (one) => one.enabled && one.groups.includes(group) && one.models.has(model),
    )
    const priorities = [...new Set(here.map(({ priority }) => priority))].sort((a, b) => b - a)
    return priorities.map((priority) => ({
      priority,
      channels: here.filter((one) => one.priority === priority),
    }))
  }

  const pick = picker({
    channels: { get: (id) => byId.get(id), tiers },
    health: {
      admits: (channelId, keyId) => !open.includes(`${channelId}/${keyId}`),
      spares: (channelId, keyId) => spared.includes(`${channelId}/${keyId}`),
      claim({ id }, keyId, model) {
        claimed.push(`${id}/${keyId} ${model}`)
        return new FakeClaim()
      },
    },
    providers: {
      adapter({ type }, query) {
        requests.push(query)
        return type === useless ? undefined : adapter
      },
    },
    random: () => 0,
    now: () => 0,
    retriesPerGroup: () => retries,
  })

  const ask = (route: Partial<Route>, over: Partial<PickQuery> = {}) =>
    pick({
      route: { groups: ['default'], crossGroup: false, ...route },
      model: 'test-model',
      operation: 'chat',
      format: { name: 'chat' },
      tried: [],
      ...over,
    })

  /** The channels a request is given until none is left, as `channel@group`. */
  function walk(route: Partial<Route>, over: Partial<PickQuery> = {}): string[] {
    const tried: AttemptTrace[] = []
    for (let next = ask(route, over); next; next = ask(route, { ...over, tried })) {
      const { channel, keyId, group, position } = next
      tried.push({ channelId: channel.id, keyId, group, position, failure: brokenUpstream })
    }
    return tried.map(({ channelId, group }) => `${channelId}@${group}`)
  }

  return { ask, walk, claimed, requests }
}

const key = (id: number, text = `key ${id}`, enabled = true) => ({ id, text, enabled })
/** Every channel has a key of its own. */
const made = (id: number, over: Partial<Channel> = {}) =>
  channel(id, { keys: [key(100 + id)], ...over })

t.test('[ROUTE-2] the highest priority that has a candidate left is taken', (t) => {
  const channels = [
    made(1, { priority: 10 }),
    made(2, { priority: 0 }),
    made(3, { priority: 5 }),
    made(4, { priority: 20, type: useless }),
    made(5, { priority: 20, enabled: false }),
    made(6, { priority: 20, models: new Set(['another-model']) }),
    made(7, { priority: 20, keys: [] }),
    made(8, { priority: 20, keys: [key(1, 'off', false), key(2, 'off', false)] }),
  ]
  const { ask, walk, claimed } = setup({ channels })
  t.match(ask({}), { channel: { id: 1 }, key: 'key 101', keyId: 101, group: 'default' })
  t.same(claimed, ['1/101 test-model'], 'the try has its place')
  t.same(walk({}), ['1@default', '3@default', '2@default'])
  t.equal(ask({}, { model: 'unknown' }), undefined)
  t.end()
})

t.test('[ROUTE-3] a channel that failed does not take the same request again', (t) => {
  const channels = [
    made(1, { priority: 9, keys: [key(1, 'shared')] }),
    made(2, { priority: 8, keys: [key(2, 'shared')] }),
    made(3, { priority: 7, keys: [key(3), key(4)] }),
  ]
  const { ask } = setup({ channels })
  const first = { channelId: 1, keyId: 1, group: 'default', position: 0, failure: brokenUpstream }
  t.match(ask({}, { tried: [first] }), { channel: { id: 2 } }, 'whatever its key is called')
  const second = { ...first, channelId: 2, keyId: 2 }
  const third = { ...first, channelId: 3, keyId: 3 }
  t.match(ask({}, { tried: [first, second] }), { channel: { id: 3 } })
  const other = 'its other key does not bring a channel back'
  t.equal(ask({}, { tried: [first, second, third] }), undefined, other)
  const gone = { ...first, channelId: 77 }
  t.match(ask({}, { tried: [gone] }), { channel: { id: 1 } }, 'a channel that is gone is no harm')
  t.end()
})

t.test(
  '[ROUTE-5] a group has its retries; only then, and if it may, the next has its turn',
  (t) => {
    const group = (name: string, from: number) =>
      [0, 1, 2, 3].map((step) => made(from + step, { groups: [name], priority: -step }))
    const channels = [...group('a', 10), ...group('b', 20)]
    const groups = ['a', 'none', 'b']
    const inA = ['10@a', '11@a', '12@a', '13@a']
    const inB = ['20@b', '21@b', '22@b', '23@b']
    const rows = [
      [0, false, inA.slice(0, 1)],
      [2, false, inA.slice(0, 3)],
      [10, false, inA],
      [0, true, [inA[0], inB[0]]],
      [1, true, [...inA.slice(0, 2), ...inB.slice(0, 2)]],
      [10, true, [...inA, ...inB]],
    ] as const
    for (const [retries, crossGroup, expected] of rows) {
      const { walk } = setup({ channels, retries })
      const title = `${retries} retries, ${crossGroup ? 'on to the next' : 'this group only'}`
      t.same(walk({ groups, crossGroup }), expected, title)
    }
    t.end()
  },
)

t.test('the first try goes to the first group that has a candidate at all', (t) => {
  const channels = [
    made(1, { groups: ['a'], type: useless }),
    made(2, { groups: ['b'] }),
    made(3, { groups: ['c'] }),
  ]
  const { ask, walk } = setup({ channels, open: ['2/102'] })
  t.match(ask({ groups: ['a', 'b', 'c'] }), { channel: { id: 3 }, group: 'c', position: 2 })
  t.same(walk({ groups: ['a', 'b', 'c'] }), ['3@c'])
  t.end()
})

t.test('a channel of several groups that failed in one is not tried in the next', (t) => {
  const channels = [made(1, { groups: ['a', 'b'] }), made(2, { groups: ['b'] })]
  t.same(setup({ channels }).walk({ groups: ['a', 'b'], crossGroup: true }), ['1@a', '2@b'])
  t.end()
})

t.test('a key whose breaker is open is left alone, and all of them open is no channel', (t) => {
  const channels = [made(1, { priority: 1, keys: [key(1), key(2)] }), made(2)]
  t.match(setup({ channels, open: ['1/1'] }).ask({}), { channel: { id: 1 }, keyId: 2 })
  t.match(setup({ channels, open: ['1/1', '1/2'] }).ask({}), { channel: { id: 2 } })
  t.equal(setup({ channels, open: ['1/1', '1/2', '2/102'] }).ask({}), undefined)
  const all = { channels, open: ['1/1', '1/2', '2/102'] }
  const last = setup({ ...all, spared: ['2/102'] }).ask({})
  t.match(last, { channel: { id: 2 } }, 'with nobody left, a trial goes before its time')
  const better = setup({ channels, open: ['1/1', '1/2'], spared: ['1/1'] }).ask({})
  t.match(better, { channel: { id: 2 } }, 'but not while somebody is')
  t.end()
})

t.test('the adapter is requested the name the upstream knows', (t) => {
  const modelMapping = { 'test-model': 'step', step: 'upstream-model' }
  const { ask, requests } = setup({ channels: [made(1, { modelMapping })] })
  ask({})
  t.same(requests[0], { operation: 'chat', format: 'chat', model: 'upstream-model' })
  t.end()
})

const tie = (channelId: number, skipRetry = false) => ({
  affinity: { rule: 'session', key: 'k', channelId, skipRetry },
})

t.test(
  '[ROUTE-16] a tie takes the first group on the route that can use its channel and model, and retries go on from there',
  (t) => {
    const channels = [
      made(1, { groups: ['a'] }),
      made(2, { groups: ['b', 'c'], priority: -1 }),
      made(3, { groups: ['b'] }),
      made(4, { groups: ['c'] }),
    ]
    const groups = ['a', 'b', 'c']
    const { ask, walk } = setup({ channels })
    t.match(ask({ groups }, tie(2)), { channel: { id: 2 }, group: 'b', position: 1 })
    t.same(walk({ groups, crossGroup: true }, tie(2)), ['2@b', '3@b', '4@c'])
    t.same(walk({ groups }, tie(2)), ['2@b', '3@b'])
    t.same(walk({ groups: ['c', 'b'], crossGroup: true }, tie(2)), ['2@c', '4@c', '3@b'])
    t.same(walk({ groups, crossGroup: true }, tie(2, true)), ['2@b'], 'the rule forbids a retry')
    t.end()
  },
)

t.test('[ROUTE-16] a tie to a channel that cannot take the request traps nobody', (t) => {
  const rows: [string, Partial<Channel>, string[]][] = [
    ['switched off', { enabled: false }, []],
    ['of another model', { models: new Set(['another-model']) }, []],
    ['of another group', { groups: ['elsewhere'] }, []],
    ['whose breaker is open', {}, ['2/102']],
    ['whose provider does not serve', { type: useless }, []],
    ['without a key', { keys: [] }, []],
  ]
  for (const [name, over, open] of rows) {
    const channels = [made(1), made(2, over), made(3)]
    const { walk } = setup({ channels, open })
    t.same(walk({}, tie(2, true)), ['1@default', '3@default'], name)
  }
  const { walk } = setup({ channels: [made(1), made(3)] })
  t.same(walk({}, tie(2, true)), ['1@default', '3@default'], 'gone')
  t.same(walk({}, { affinity: { rule: 'r', key: 'k', skipRetry: false } }).length, 2, 'none yet')
  t.end()
})

t.test('a pin takes its channel whatever its groups, once, and no other', (t) => {
  const channels = [
    made(1, { groups: ['a', 'b', 'elsewhere'] }),
    made(2, { groups: ['elsewhere'] }),
    made(3, { groups: ['a'], enabled: false }),
    made(4, { groups: ['a'], models: new Set(['another-model']) }),
    made(5, { groups: ['a'] }),
  ]
  const { ask, walk } = setup({ channels })
  const groups = ['c', 'b', 'a']
  const rows = [
    [1, ['1@b'], 'the first group of the plan it stands in'],
    [2, ['2@c'], 'none: the first of the plan'],
    [3, [], 'switched off'],
    [4, [], 'does not serve the model'],
    [9, [], 'unknown'],
  ] as const
  for (const [pinned, expected, title] of rows) {
    t.same(walk({ groups, crossGroup: true, pinned }), expected, title)
  }
  t.match(ask({ groups, pinned: 2 }, tie(5)), { channel: { id: 2 } }, 'before any tie')
  t.end()
})

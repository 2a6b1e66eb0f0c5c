/** What the gateway switches off by itself: which failures, which part, and never in the way of a request. */
import t from 'tap'
import type { Failure } from '../../../kernel/contract/failure.js'
import { broken, channelWith, turn, ward } from './health-kit.js'

const two = channelWith(1, 11, 12)
const single = channelWith(2, 21)

const refusedKey: Failure = {
  blame: 'channel',
  status: 401,
  code: 'upstream_error',
  message: 'The upstream failed: it does not take the credentials of this channel.',
  upstreamMessage: 'Incorrect API key provided (invalid_api_key)',
}

t.test('only where the option is on', async (t) => {
  const { round, put, set, suspensions } = ward()
  put(single)
  round(single, 21, 'm', refusedKey)
  t.same(suspensions, [])
  set({ auto_disable: true })
  round(single, 21, 'm', refusedKey)
  t.equal(suspensions.length, 1)
})

t.test('[CHAN-5] of several keys the one that failed, alone; else the channel', async (t) => {
  const { round, put, suspensions, log } = ward({ auto_disable: true })
  put(two)
  put(single)
  round(two, 12, 'm', refusedKey)
  round(single, 21, 'm', refusedKey)
  await turn()
  const reason = 'Status 401: Incorrect API key provided (invalid_api_key)'
  t.same(suspensions, [
    [{ channelId: 1, keyId: 12 }, reason],
    [{ channelId: 2 }, reason],
  ])
  t.same(log.lines, Array(2).fill('the gateway switched off what its upstream refuses'))
})

const upstream: Failure = { ...broken, message: 'x' }
const cases: readonly (readonly [name: string, failure: Failure, off: boolean])[] = [
  ['a listed status', refusedKey, true],
  ['another status', { ...refusedKey, status: 403 }, false],
  ['a failure of the service', upstream, false],
  ['a key that cannot be used', { ...refusedKey, status: 502, code: 'channel:invalid_key' }, true],
  [
    'words in the message',
    { ...refusedKey, status: 402, upstreamMessage: 'Your BALANCE is too low.' },
    true,
  ],
  ['words in the message', { ...upstream, message: 'You exceeded your quota today.' }, true],
  ['a client’s mistake', { ...refusedKey, blame: 'client', status: 401 }, false],
  [
    'words of a client that came back',
    { ...refusedKey, blame: 'client', status: 400, message: 'Not valid: balance is too low' },
    false,
  ],
  ['a refusal of our own', { ...refusedKey, status: 401, code: 'internal_error' }, false],
]

t.test('which failures are final', async (t) => {
  for (const [name, failure, off] of cases) {
    const { round, put, suspensions } = ward({ auto_disable: true })
    put(single)
    round(single, 21, 'm', failure)
    t.equal(suspensions.length, off ? 1 : 0, name)
  }
  const { health, put, suspensions } = ward({ auto_disable: true })
  put(single)
  health.broke(single, 21, 'm', { ...upstream, upstreamMessage: 'exceeded your quota' })
  t.equal(suspensions.length, 1, 'in the middle of an answer too')
})

t.test('no reason holds the key, whatever the upstream made of it', async (t) => {
  const { round, put, health, suspensions } = ward({ auto_disable: true })
  const channel = put({ ...single, keys: [{ id: 21, text: 'plain words', enabled: true }] })
  round(channel, 21, 'm', { ...refusedKey, upstreamMessage: 'No such key: plain words' })
  t.equal(suspensions[0]?.[1], 'Status 401: No such key: ***')
  for (let n = 0; n < 4; n++) round(channel, 21, 'm', { ...broken, message: 'bad plain words' })
  t.match(health.breakers(), [{ reason: 'Status 500: bad ***' }])
})

t.test('statuses and words are the operator’s', async (t) => {
  const { round, put, set, suspensions } = ward({
    auto_disable: true,
    auto_disable_statuses: '',
    auto_disable_keywords: '',
  })
  put(single)
  round(single, 21, 'm', { ...refusedKey, upstreamMessage: 'balance is too low' })
  t.equal(suspensions.length, 0)
  set({ auto_disable_statuses: '400-404, 500' })
  round(single, 21, 'm', upstream)
  await turn()
  round(single, 21, 'm', { ...refusedKey, status: 404 })
  t.equal(suspensions.length, 2)
})

t.test('a list that cannot be read is refused when it is saved, and lists nothing', async (t) => {
  const { checks, log, put, round, set, suspensions } = ward({ auto_disable: true })
  const check = checks.get('AutomaticDisableStatusCodes')
  check?.('401, 403-404')
  t.throws(() => check?.('401,abc'), {
    code: 'invalid_field',
    param: 'AutomaticDisableStatusCodes',
    message: 'AutomaticDisableStatusCodes: "abc" is neither a status code nor a range.',
  })
  put(single)
  set({ auto_disable_statuses: 'abc' })
  round(single, 21, 'm', refusedKey)
  t.same(suspensions, [])
  t.same(log.lines, ['AutomaticDisableStatusCodes cannot be read; no status switches off'])
})

t.test('a channel that may not be switched off, is off, or changed since stays', async (t) => {
  const rows = [
    ['auto_ban off', { ...single, autoBan: false }, { ...single, autoBan: false }],
    ['off already', single, { ...single, enabled: false }],
    ['another key since', single, { ...single, keys: [{ ...single.keys[0]!, text: 'new' }] }],
    ['the key is gone', single, { ...single, keys: [] }],
    ['key off already', two, { ...two, keys: two.keys.map((key) => ({ ...key, enabled: false })) }],
  ] as const
  for (const [name, used, current] of rows) {
    const { round, put, suspensions } = ward({ auto_disable: true })
    put(current)
    round(used, used.keys[0]!.id, 'm', refusedKey)
    t.same(suspensions, [], name)
  }
  const { round, suspensions } = ward({ auto_disable: true })
  round(single, 21, 'm', refusedKey)
  t.same(suspensions, [], 'a channel nobody knows any more')
})

t.test('however many fail at once, a part is switched off once', async (t) => {
  let finish: (changed: boolean) => void = () => {}
  const { round, put, suspensions } = ward(
    { auto_disable: true },
    () => new Promise((resolve) => (finish = resolve)),
  )
  put(two)
  for (let n = 0; n < 100; n++) round(two, 11, 'm', refusedKey)
  t.equal(suspensions.length, 1)
  round(two, 12, 'm', refusedKey)
  t.equal(suspensions.length, 2, 'parts do not wait for each other')
  finish(true)
})

t.test('what goes wrong is logged, and tried again with the next failure', async (t) => {
  const { round, put, suspensions, log } = ward({ auto_disable: true }, async () => {
    throw new Error('the database is away')
  })
  put(single)
  round(single, 21, 'm', refusedKey)
  await turn()
  round(single, 21, 'm', refusedKey)
  await turn()
  t.equal(suspensions.length, 2)
  t.same(log.lines, Array(2).fill('a channel or key could not be switched off'))
})

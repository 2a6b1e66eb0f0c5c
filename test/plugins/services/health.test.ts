/** Breakers on a clock that moves when reported: when they open, who is let through, when they close. */
import t from 'tap'
import type { Failure } from '../../../kernel/contract/failure.js'
import type { BreakerStatus } from '../../../plugins/services/health/index.js'
import { broken, channelWith, turn, ward } from './health-kit.js'

const minute = 60_000
const one = channelWith(1, 11, 12)

/** A ward whose channel 1 has failed until its breaker opened, for key 11 and model m. */
function opened(given = {}) {
  const made = ward(given)
  made.put(one)
  for (let n = 0; n < 5; n++) made.round(one, 11, 'm', broken)
  return made
}

t.test('while nothing fails everybody is admitted and there is nothing to see', async (t) => {
  const { health, round } = ward()
  for (let n = 0; n < 100; n++) round(one, 11, 'm')
  t.equal(health.admits(1, 11, 'm'), true)
  t.same(health.breakers(), [])
})

t.test('five failures of the last ten open the breaker of that key and model alone', async (t) => {
  const { health, round } = ward()
  for (let n = 0; n < 4; n++) {
    round(one, 11, 'm', broken)
    round(one, 11, 'm')
  }
  t.equal(health.admits(1, 11, 'm'), true)
  round(one, 11, 'm', broken)
  t.equal(health.admits(1, 11, 'm'), false)
  t.equal(health.admits(1, 12, 'm'), true, 'another key')
  t.equal(health.admits(1, 11, 'n'), true, 'another model')
  t.equal(health.admits(2, 11, 'm'), true, 'another channel')
})

t.test('failures that lie too far apart, or among too many answers, open nothing', async (t) => {
  const { clock, health, round } = ward()
  for (let n = 0; n < 50; n++) {
    round(one, 11, 'm', broken)
    round(one, 11, 'm')
    clock.advance(16_000)
  }
  t.equal(health.admits(1, 11, 'm'), true, 'at most four within a minute')
  for (let n = 0; n < 50; n++) {
    round(one, 12, 'm', broken)
    for (let answers = 0; answers < 2; answers++) round(one, 12, 'm')
  }
  t.equal(health.admits(1, 12, 'm'), true, 'at most four of ten')
})

t.test('with little traffic five in a row open it, however far apart', async (t) => {
  const { clock, health, round } = ward()
  for (let n = 0; n < 4; n++) {
    round(one, 11, 'm', broken)
    clock.advance(4 * minute)
  }
  t.equal(health.admits(1, 11, 'm'), true)
  round(one, 11, 'm', broken)
  t.equal(health.admits(1, 11, 'm'), false)

  for (let n = 0; n < 9; n++) {
    clock.advance(6 * minute)
    round(one, 12, 'm', broken)
    t.equal(health.admits(1, 12, 'm'), true, 'a row that silence interrupts is none')
  }
})

t.test('after the pause exactly one of a thousand is let through', async (t) => {
  const { clock, health, round } = opened()
  clock.advance(15_000 - 1)
  t.equal(health.admits(1, 11, 'm'), false, 'never sooner than reported')
  clock.advance(3_001)
  let through = 0
  const claims = Array.from({ length: 1_000 }, () => {
    if (!health.admits(1, 11, 'm')) return undefined
    through += 1
    return health.claim(one, 11, 'm')
  })
  t.equal(through, 1)
  t.match(health.breakers(), [{ state: 'half-open', keyId: 11, model: 'm' }])
  claims[0]?.ended()
  t.equal(health.admits(1, 11, 'm'), true)
  t.same(health.breakers(), [], 'a good trial closes it and all is forgotten')
  for (let n = 0; n < 4; n++) round(one, 11, 'm', broken)
  t.equal(health.admits(1, 11, 'm'), true, 'earlier failures count no more')
})

t.test(
  'where nobody else is left the one trial goes before its time, and only the one',
  async (t) => {
    const { health } = opened()
    t.equal(health.admits(1, 11, 'm'), false)
    let through = 0
    const claims = Array.from({ length: 1_000 }, () => {
      if (!health.spares(1, 11, 'm')) return undefined
      through += 1
      return health.claim(one, 11, 'm')
    })
    t.equal(through, 1)
    t.match(health.wait(1, 11, 'm'), { parked: false })
    claims[0]?.ended(broken)
    t.equal(health.spares(1, 11, 'm'), true, 'the next may try after it')
    health.claim(one, 11, 'm').ended()
    t.equal(health.admits(1, 11, 'm'), true, 'and a good one closes it')
    t.equal(health.wait(1, 11, 'm'), undefined)
  },
)

t.test('a pause the upstream requested is kept, also where nobody else is left', async (t) => {
  const { clock, health, put, round } = ward()
  put(one)
  const pace = { ...broken, blame: 'channel', status: 429, retryAfterMs: 7_000 } as const
  round(one, 11, 'm', pace)
  t.equal(health.admits(1, 11, 'm'), false)
  t.equal(health.spares(1, 11, 'm'), false)
  t.same(health.wait(1, 11, 'm'), { ms: 7_000, parked: true })
  clock.advance(7_000)
  t.equal(health.admits(1, 11, 'm'), true)
})

t.test('each failed trial doubles the pause, up to five minutes', async (t) => {
  const { clock, health, round } = opened()
  for (const seconds of [15, 30, 60, 120, 240, 300, 300]) {
    const [status] = health.breakers() as [BreakerStatus]
    const pause = status.retryAt - clock.now()
    t.ok(pause >= seconds * 1000 && pause <= seconds * 1200 + 1, `${seconds} s and up to a fifth`)
    clock.advance(pause - 1)
    t.equal(health.admits(1, 11, 'm'), false)
    clock.advance(1)
    t.equal(health.admits(1, 11, 'm'), true)
    round(one, 11, 'm', broken)
  }
  clock.advance(6 * minute)
  round(one, 11, 'm')
  for (let n = 0; n < 5; n++) round(one, 11, 'm', broken)
  const [status] = health.breakers() as [BreakerStatus]
  t.ok(status.retryAt - clock.now() <= 18_001, 'after a good trial it begins anew')
})

t.test('after an hour of nothing it recovers with its first answer', async (t) => {
  const { clock, health, round } = opened()
  clock.advance(60 * minute)
  t.equal(health.admits(1, 11, 'm'), true)
  round(one, 11, 'm')
  t.same(health.breakers(), [])
  clock.advance(500)
  t.equal(clock.pending, 0, 'once it was reported, nothing waits on timers')
})

t.test('a trial that never ends gives its place back in the end', async (t) => {
  const { clock, health } = opened()
  clock.advance(20_000)
  const lost = health.claim(one, 11, 'm')
  clock.advance(6 * minute)
  t.equal(health.admits(1, 11, 'm'), false)
  clock.advance(2 * minute)
  t.equal(health.admits(1, 11, 'm'), true)
  const next = health.claim(one, 11, 'm')
  lost.ended(broken)
  t.equal(health.admits(1, 11, 'm'), false, 'what the lost one states changes nothing')
  next.ended()
  t.same(health.breakers(), [])
})

t.test('calls that set out before it opened neither close it nor prolong it', async (t) => {
  const { clock, health, put, round } = ward()
  put(one)
  const early = [health.claim(one, 11, 'm'), health.claim(one, 11, 'm')]
  clock.advance(1000)
  for (let n = 0; n < 5; n++) round(one, 11, 'm', broken)
  const before = health.breakers()
  early[0]?.ended()
  early[1]?.ended(broken)
  t.same(health.breakers(), before)
})

const ownFailures = [
  ['a client’s mistake', 'client', 400, 'upstream_rejected'],
  ['no money', 'client', 403, 'insufficient_user_quota'],
  ['no price', 'client', 400, 'model_price_error'],
  ['nothing to express it', 'client', 400, 'not_expressible'],
  ['the client left', 'client', 499, 'client_gone'],
  ['the gateway stops', 'channel', 503, 'shutting_down'],
  ['the database is away', 'channel', 503, 'database_unavailable'],
  ['a stage failed', 'channel', 500, 'internal_error'],
  ['a mapping in a circle', 'channel', 500, 'channel:model_mapped_error'],
] as const

t.test('what reveals nothing of the channel counts as nothing, and frees the place', async (t) => {
  for (const [name, blame, status, code] of ownFailures) {
    const own: Failure = { blame, status, code, message: name, retryAfterMs: 60_000 }
    const { clock, health, round } = opened()
    for (let n = 0; n < 20; n++) round(one, 12, 'm', own)
    t.equal(health.admits(1, 12, 'm'), true, name)
    clock.advance(20_000)
    const trial = health.claim(one, 11, 'm')
    t.equal(health.admits(1, 11, 'm'), false)
    trial.ended(own)
    t.equal(health.admits(1, 11, 'm'), true, `${name}: the next one tries`)
  }
})

const tellingFailures = [
  ['a refused key', 'channel', 401, 'upstream_error'],
  ['no such model', 'channel', 404, 'upstream_error'],
  ['a pace without a time', 'channel', 429, 'upstream_error'],
  ['silence', 'upstream', 0, 'upstream_timeout'],
  ['no way there', 'upstream', 0, 'upstream_unreachable'],
  ['a key that cannot be used', 'channel', 502, 'channel:invalid_key'],
  ['an address that is refused', 'channel', 500, 'channel:address_refused'],
] as const

t.test('what the upstream or the way there is to blame for counts', async (t) => {
  for (const [name, blame, status, code] of tellingFailures) {
    const { health, round } = ward()
    for (let n = 0; n < 5; n++) round(one, 11, 'm', { blame, status, code, message: name })
    t.equal(health.admits(1, 11, 'm'), false, name)
    t.match(health.breakers()[0]?.reason, name)
  }
})

t.test('an answer that broke off counts as a failure', async (t) => {
  const { health, round, put } = ward()
  put(one)
  for (let n = 0; n < 5; n++) {
    round(one, 11, 'm')
    health.broke(one, 11, 'm', { ...broken, code: 'upstream_broke_off' })
    health.broke(one, 11, 'm', { ...broken, blame: 'client', code: 'client_gone' })
  }
  t.equal(health.admits(1, 11, 'm'), false)
  t.match(health.breakers(), [{ failures: 5, outcomes: 9 }])
})

const pace: Failure = {
  blame: 'channel',
  status: 429,
  code: 'upstream_error',
  message: 'The upstream failed: it takes no more requests for now.',
  upstreamMessage: 'Rate limit reached (rate_limit_error)',
  retryAfterMs: 30_000,
}

t.test('a key that asks to be left alone is, with every model, until then', async (t) => {
  const { clock, health, round } = ward()
  round(one, 11, 'm', pace)
  t.equal(health.admits(1, 11, 'm'), false)
  t.equal(health.admits(1, 11, 'n'), false, 'every model of the key')
  t.equal(health.admits(1, 12, 'm'), true, 'another key')
  t.same(health.breakers(), [
    {
      channelId: 1,
      keyId: 11,
      model: '',
      state: 'parked',
      failures: 0,
      outcomes: 0,
      retryAt: clock.now() + 30_000,
      reason: 'Status 429: Rate limit reached (rate_limit_error)',
    },
  ])
  clock.advance(29_999)
  t.equal(health.admits(1, 11, 'n'), false)
  clock.advance(1)
  t.equal(health.admits(1, 11, 'n'), true)
  t.same(health.breakers(), [])
  for (let n = 0; n < 20; n++) {
    round(one, 11, 'm', pace)
    clock.advance(30_000)
  }
  t.equal(health.admits(1, 11, 'm'), true, 'a pace that is reported never opens a breaker')
})

t.test('an upstream that is overloaded parks the model, and counts', async (t) => {
  const { clock, health, round } = ward()
  const overloaded: Failure = { ...pace, blame: 'upstream', status: 503 }
  round(one, 11, 'm', overloaded)
  t.equal(health.admits(1, 11, 'm'), false)
  t.equal(health.admits(1, 11, 'n'), true)
  for (let n = 0; n < 4; n++) {
    clock.advance(30_000)
    round(one, 11, 'm', overloaded)
  }
  clock.advance(600_000)
  t.match(health.breakers(), [{ state: 'half-open', model: 'm' }])
})

t.test('nobody is parked for longer than ten minutes, nor by other statuses', async (t) => {
  const { clock, health, round } = ward()
  round(one, 11, 'm', { ...pace, retryAfterMs: 24 * 60 * minute })
  round(one, 12, 'm', { ...pace, status: 500, blame: 'upstream' })
  t.equal(health.admits(1, 12, 'm'), true)
  clock.advance(10 * minute - 1)
  t.equal(health.admits(1, 11, 'm'), false)
  clock.advance(1)
  t.equal(health.admits(1, 11, 'm'), true)
})

t.test('of two pauses an upstream asks for, the one that ends later is kept', async (t) => {
  for (const [first, second] of [
    [30_000, 5_000],
    [5_000, 30_000],
  ] as const) {
    const { clock, health } = ward()
    const [one1, one2] = [health.claim(one, 11, 'm'), health.claim(one, 11, 'm')]
    one1.ended({ ...pace, retryAfterMs: first })
    one2.ended({ ...pace, retryAfterMs: second })
    clock.advance(29_999)
    t.equal(health.admits(1, 11, 'm'), false, `${first}, ${second}`)
    t.same(health.wait(1, 11, 'm'), { ms: 1, parked: true })
    clock.advance(1)
    t.equal(health.admits(1, 11, 'm'), true)
  }
})

t.test('of a pause of the key and one of the model the longer one is waited for', async (t) => {
  const { clock, health, round } = ward()
  for (let n = 0; n < 5; n++) round(one, 11, 'm', broken)
  t.match(health.wait(1, 11, 'm'), { parked: false })
  round(one, 11, 'n', { ...pace, retryAfterMs: 60_000 })
  t.same(health.wait(1, 11, 'm'), { ms: 60_000, parked: true })
  t.same(health.wait(1, 11, 'n'), { ms: 60_000, parked: true })
  clock.advance(60_000)
  for (let trial = 0; trial < 4; trial++) {
    round(one, 11, 'm', broken)
    clock.advance(5 * minute + minute)
  }
  round(one, 11, 'm', broken)
  round(one, 11, 'n', { ...pace, retryAfterMs: 1_000 })
  const wait = health.wait(1, 11, 'm')
  t.equal(wait?.parked, false)
  t.ok(wait && wait.ms >= 5 * minute, `${wait?.ms} ms`)
})

t.test(
  'while its one trial is under way it is queried again soon, and never at once',
  async (t) => {
    const { clock, health } = opened()
    clock.advance(20_000)
    t.equal(health.wait(1, 11, 'm'), undefined)
    const trial = health.claim(one, 11, 'm')
    t.same(health.wait(1, 11, 'm'), { ms: 1_000, parked: false })
    trial.ended()
    t.equal(health.wait(1, 11, 'm'), undefined)
  },
)

t.test('an answer that breaks off while it is open already prolongs nothing', async (t) => {
  const { clock, health, put } = opened()
  put(one)
  const until = health.breakers()[0]?.retryAt
  health.broke(one, 11, 'm', { ...broken, code: 'upstream_broke_off' })
  t.equal(health.breakers()[0]?.retryAt, until)
  clock.advance(20_000)
  const trial = health.claim(one, 11, 'm')
  health.broke(one, 11, 'm', { ...broken, code: 'upstream_broke_off' })
  t.equal(health.breakers()[0]?.retryAt, until, 'nor while a trial is under way')
  trial.ended()
  t.same(health.breakers(), [])
})

t.test('an answer that was under way does not end a parking', async (t) => {
  const { health, round } = ward()
  const early = health.claim(one, 11, 'm')
  round(one, 11, 'm', pace)
  early.ended()
  t.equal(health.admits(1, 11, 'm'), false)
})

t.test('an admin closes what they mean, here and in every process', async (t) => {
  const { health, round, hear } = opened()
  const two = channelWith(2, 21)
  for (let n = 0; n < 5; n++) {
    round(one, 11, 'n', broken)
    round(one, 12, 'm', broken)
    round(two, 21, 'm', broken)
  }
  const left = () => health.breakers().map(({ keyId, model }) => `${keyId} ${model}`)
  t.equal(health.reset({ channelId: 1, keyId: 11, model: 'n' }), 1)
  t.same(left(), ['11 m', '12 m', '21 m'])
  t.equal(health.reset({ channelId: 1, keyId: 12 }), 1)
  t.equal(health.reset({ channelId: 1 }), 1)
  t.same(left(), ['21 m'])
  t.equal(health.reset({ channelId: 3 }), 0)
  hear('breakers', JSON.stringify({ channelId: 2 }))
  t.same(left(), [])
})

t.test('a channel that was edited is judged anew, where the edit can matter', async (t) => {
  const key = (over: object) => [{ ...one.keys[0]!, ...over }, one.keys[1]!]
  const rows = [
    ['weight', { weight: 9 }, false],
    ['models', { models: new Set(['other']) }, false],
    ['the same again', {}, false],
    ['switched off', { enabled: false }, false],
    ['its key off', { keys: key({ enabled: false }) }, false],
    ['address', { baseUrl: 'https://other.example' }, true],
    ['mapping', { modelMapping: { m: 'other' } }, true],
    ['proxy', { proxy: 'http://127.0.0.1:1' }, true],
    ['key', { keys: key({ text: 'renewed' }) }, true],
    ['key gone', { keys: one.keys.slice(1) }, true],
  ] as const
  for (const [name, over, anew] of rows) {
    const { health, put } = opened()
    put({ ...one, ...over })
    t.equal(health.admits(1, 11, 'm'), anew, name)
  }
  const { health, put, remove } = opened()
  put({ ...one, enabled: false })
  put(one)
  t.equal(health.admits(1, 11, 'm'), true, 'on again')
  const other = opened()
  other.put({ ...one, keys: key({ enabled: false }) })
  other.put(one)
  t.equal(other.health.admits(1, 11, 'm'), true, 'its key on again')
  other.round(one, 11, 'm')
  other.remove(1)
  t.same([other.health.breakers(), other.health.latencies(1)], [[], []])
  remove(1)
})

t.test('switched off by option everybody is admitted, and nothing is learned', async (t) => {
  const { clock, health, round, set } = opened()
  set({ enabled: false })
  t.equal(health.admits(1, 11, 'm'), true)
  for (let n = 0; n < 9; n++) {
    round(one, 12, 'm', broken)
    round(one, 12, 'n', pace)
  }
  set({ enabled: true, failures: 2 })
  t.equal(health.admits(1, 12, 'm'), true)
  round(one, 12, 'm', broken)
  round(one, 12, 'm', broken)
  t.equal(health.admits(1, 12, 'm'), false, 'a change of the rules shows at once')
  clock.advance(minute)
})

t.test('of more breakers than there is room for the one unheard of for longest goes', async (t) => {
  const { health, round, set } = ward({ failures: 1 })
  for (let n = 0; n < 100_000; n++) round(one, 11, `m${n}`, broken)
  round(one, 11, 'm1', broken)
  round(one, 11, 'm100000', broken)
  t.equal(health.admits(1, 11, 'm0'), true)
  t.equal(health.admits(1, 11, 'm1'), false, 'heard of again')
  round(one, 11, 'm100001', broken)
  t.equal(health.admits(1, 11, 'm1'), false, 'heard of again')
  t.equal(health.admits(1, 11, 'm2'), true)
  t.equal(health.admits(1, 11, 'm100000'), false)
  t.equal(health.breakers().length, 100_000)
  set({})
})

t.test('the last twenty answers of a channel are timed, oldest first', async (t) => {
  const { clock, health, round } = ward()
  t.same(health.latencies(1), [])
  const timed = (ms: number, failure?: Failure) => {
    const claim = health.claim(one, 11, 'm')
    clock.advance(ms)
    claim.ended(failure)
  }
  timed(5)
  timed(999, broken)
  timed(6)
  t.same(health.latencies(1), [5, 6])
  for (let ms = 1; ms <= 25; ms++) timed(ms)
  t.same(
    health.latencies(1),
    Array.from({ length: 20 }, (_, index) => index + 6),
  )
  round(channelWith(2, 21), 21, 'm')
  t.same(health.latencies(2), [0])
  await turn()
})

t.test('consoles hear whose health changed, some channels at a time', async (t) => {
  const { clock, round, published } = ward()
  const two = channelWith(2, 21)
  round(one, 11, 'm')
  for (let n = 0; n < 50; n++) round(one, 11, 'm', broken)
  round(two, 21, 'm', broken)
  clock.advance(500)
  t.same(published, [['health', { channels: [1, 2] }]])
  clock.advance(minute)
  round(one, 11, 'm')
  clock.advance(500)
  t.same(published[1], ['health', { channels: [1] }], 'that it is well again')
  round(one, 11, 'm')
  clock.advance(500)
  t.equal(published.length, 2, 'nothing of what goes well')
})

/** The parts of the limits: whom they count, what they tell, and how they bound themselves. */

import t from 'tap'
import type { Peers } from '../../../kernel/contract/services/peers.js'
import type { Environment } from '../../../kernel/contract/services/system.js'
import { noPeers } from '../../../kernel/peers.js'
import { systemClock } from '../../../kernel/schedule/system-clock.js'
import { Refusal } from '../../../kernel/toolkit/errors/refusal.js'
import { networkOf } from '../../../kernel/toolkit/service/network-of.js'
import { createBreaker } from '../../../plugins/services/rate-limits/breaker.js'
import { arrivalBuckets, knownBuckets } from '../../../plugins/services/rate-limits/buckets.js'
import create from '../../../plugins/services/rate-limits/index.js'
import { localCounter } from '../../../plugins/services/rate-limits/local-counter.js'
import { rateHeadersOf } from '../../../plugins/services/rate-limits/rate-headers.js'
import { FakeClock } from '../../kit/clock.js'
import { quietLog } from '../../kit/fakes.js'
import { defaultEnvironment } from '../../kit/gateway.js'

const of = (limit: number, windowSeconds = 60, enabled = true) => ({
  enabled,
  limit,
  windowSeconds,
})
const options: Environment['rateLimits'] = {
  api: of(10),
  web: of(3),
  critical: of(5),
  criticalRoute: of(2),
  criticalSecrets: of(6),
  login: of(2),
}

function limitsOf(rateLimits = options, peers: Peers = noPeers) {
  return create({
    settings: {} as never,
    clock: systemClock,
    log: quietLog,
    services: { system: { environment: { ...defaultEnvironment, rateLimits } } as never, peers },
  })
}

async function refused(pending: Promise<unknown> | undefined): Promise<boolean> {
  try {
    await pending
    return false
  } catch (error) {
    if (error instanceof Refusal && error.code === 'rate_limit_exceeded') return true
    throw error
  }
}

t.test('[LIMIT-3] a caller is an IPv4 address or an IPv6 network', async (t) => {
  const table: readonly (readonly [address: string, network: string])[] = [
    ['9.0.0.1', '9.0.0.1'],
    ['::ffff:9.0.0.1', '9.0.0.1'],
    ['::ffff:900:1', '9.0.0.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:db8:1:2::', '2001:db8:1:2::'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::'],
    ['fe80::1%eth0', 'fe80:0:0:0::'],
    ['::1', '0:0:0:0::'],
    ['', ''],
    ['not:an:address', 'not:an:address'],
  ]
  for (const [address, network] of table) t.equal(networkOf(address), network, address)
})

t.test('[LIMIT-4] which limits count a request', async (t) => {
  const names = (limiter: Parameters<typeof arrivalBuckets>[1]['limiter']) =>
    arrivalBuckets(options, { limiter, route: 'r', address: '9.0.0.1' }).map(({ name }) => name)
  t.strictSame(names('api'), ['api'])
  t.strictSame(names('critical'), ['api', 'critical'])
  t.strictSame(names('secrets'), ['api'])
  t.strictSame(names('status'), ['status'])
  t.strictSame(names('web'), ['web'])
  t.strictSame(names('relay'), [])
  t.strictSame(names('none'), [])
  const critical = { limiter: 'critical', route: 'r', address: '9.0.0.1' } as const
  const key = (userId?: number) => knownBuckets(options, critical, userId)[0]?.key
  t.equal(key(7), 'r user 7')
  t.equal(key(), 'r 9.0.0.1')
  t.strictSame(knownBuckets(options, { ...critical, limiter: 'api' }, 7), [])
  const one = { ...critical, limiter: 'secrets' } as const
  const other = { ...one, route: 's', address: '9.0.0.2' }
  t.strictSame(
    knownBuckets(options, one, 7),
    knownBuckets(options, other, 7),
    'all routes together',
  )
  t.match(knownBuckets(options, one, 7), [{ name: 'secrets', key: 'user 7', limit: { limit: 6 } }])
})

t.test('[LIMIT-1] a limit that is switched off is not requested', async (t) => {
  const off = of(1, 60, false)
  const limits = limitsOf({
    api: off,
    web: off,
    critical: off,
    criticalRoute: off,
    criticalSecrets: off,
    login: off,
  })
  for (const limiter of ['api', 'critical', 'secrets', 'status', 'web'] as const) {
    t.equal(limits.arrived({ limiter, route: 'r', address: '9.0.0.1' }), undefined)
    t.equal(limits.known({ limiter, route: 'r', address: '9.0.0.1' }, 1), undefined)
  }
})

t.test('[LIMIT-1] the tightest is reported, and of refusals the longest', async (t) => {
  const spent = (limit: number, used: number, msLeft: number) => ({
    limit,
    used,
    msLeft,
    windowSeconds: 60,
  })
  t.strictSame(rateHeadersOf([spent(100, 1, 5000), spent(10, 3, 1), spent(10, 3, 1001)]), {
    'x-ratelimit-limit': '10',
    'x-ratelimit-remaining': '7',
    'x-ratelimit-reset': '2',
    'x-ratelimit-policy': '10;w=60',
  })
  const attempt = () => rateHeadersOf([spent(5, 6, 100), spent(9, 10, 7001), spent(3, 3, 60_000)])
  t.throws(attempt, {
    code: 'rate_limit_exceeded',
    headers: { 'retry-after': '8', 'x-ratelimit-limit': '9', 'x-ratelimit-remaining': '0' },
  })
  t.throws(() => rateHeadersOf([spent(1, 2, -2)]), {
    code: 'rate_limit_exceeded',
    headers: { 'retry-after': '1', 'x-ratelimit-reset': '1' },
  })
})

t.test('[LIMIT-4] an address that is refused goes on counting, a neighbour is free', async (t) => {
  const limits = limitsOf()
  const ask = (address: string) =>
    refused(limits.arrived({ limiter: 'critical', route: 'r', address }))
  for (let call = 0; call < 5; call++) t.notOk(await ask('9.0.0.1'))
  t.ok(await ask('9.0.0.1'))
  t.notOk(await ask('9.0.0.2'))
  const headers = await limits.arrived({ limiter: 'api', route: 'r', address: '9.0.0.1' })
  t.equal(headers?.['x-ratelimit-remaining'], '3', 'the six above counted as api too')
})

t.test('others count under names of their own', async (t) => {
  const limits = limitsOf()
  const bucket = { name: 'mail', limit: 1, windowSeconds: 60 }
  t.notOk(await refused(limits.take(bucket, 'ada@example.com')))
  t.ok(await refused(limits.take(bucket, 'ada@example.com')))
  t.notOk(await refused(limits.take({ ...bucket, name: 'api' }, 'ada@example.com')))
  const window = limits.window('relay', 60)
  t.notOk(await refused(window.open('k', 1)), 'looking counts nothing')
  t.notOk(await refused(window.open('k', 1)))
  await window.add('k')
  t.ok(await refused(window.open('k', 1)))
  t.ok(await refused(limits.window('relay', 60).take('k', 1)), 'the same name, the same count')
  t.notOk(await refused(limits.window('relay', 120).take('k', 1)))
})

t.test('keys in memory are bounded, the one unused for longest goes first', async (t) => {
  const count = localCounter(60, 3)
  for (const key of ['a', 'b', 'c']) await count(key, 1)
  await count('a', 1)
  await count('d', 1)
  t.equal((await count('a', 0)).used, 2)
  t.equal((await count('b', 0)).used, 0, 'forgotten')
  t.equal((await count('d', 0)).used, 1)
})

t.test('[LIMIT-2] a breaker lets one try again after its pause', async (t) => {
  const clock = new FakeClock()
  const breaker = createBreaker(clock, 3000)
  t.ok(breaker.admits())
  breaker.succeeded()
  breaker.failed()
  breaker.failed()
  t.notOk(breaker.admits())
  breaker.succeeded()
  t.notOk(breaker.admits(), 'what was queried before reveals nothing')
  clock.advance(3000)
  t.ok(breaker.admits())
  t.notOk(breaker.admits(), 'one only')
  breaker.failed()
  t.notOk(breaker.admits())
  clock.advance(3000)
  t.ok(breaker.admits())
  breaker.succeeded()
  t.ok(breaker.admits())
  t.ok(breaker.admits())
})

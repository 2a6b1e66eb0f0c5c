/** What the kernel asks of others around a management route: the limits before it, the audit log after it. */
import t from 'tap'
import type { ManagementRoute, Principal } from '../../../kernel/contract/management.js'
import type { RouteManifest } from '../../../kernel/contract/manifest.js'
import type {
  Arrival,
  AuditEntry,
  RateHeaders,
  RequestLimiter,
} from '../../../kernel/contract/services/ports.js'
import { Refusal } from '../../../kernel/toolkit/errors/refusal.js'
import { type GatewayOptions, json, scriptedGateway } from './harness.js'

const ada: Principal = { userId: 7, username: 'ada', role: 10, group: 'default', via: 'session' }
const write = { method: 'POST', path: '/api/it/{id?}', credential: 'admin', body: 'json' } as const
const own = { ...json, 'sec-fetch-site': 'same-origin' }

/** One route, what is queried of the limits, and what the log received. */
function area(
  declared: Partial<RouteManifest>,
  handle: ManagementRoute['handle'],
  over: GatewayOptions = {},
) {
  const events: string[] = []
  const audited: AuditEntry[] = []
  const options: GatewayOptions = {
    managementRoutes: [declared],
    management: {
      routes: {
        it: {
          handle(request) {
            events.push('handled')
            return handle(request)
          },
        },
      },
    },
    principal: ada,
    audited,
    limiter: limiterOf(events),
    ...over,
  }
  return { options, events, audited }
}

function limiterOf(
  events: string[],
  arrived: RateHeaders = {},
  known: RateHeaders = {},
): RequestLimiter {
  const readResult = (arrival: Arrival) => `${arrival.limiter} ${arrival.route} ${arrival.address}`
  return {
    async arrived(arrival) {
      events.push(`arrived: ${readResult(arrival)}`)
      return arrived
    },
    async known(arrival, userId) {
      events.push(`known: ${readResult(arrival)} ${userId}`)
      return known
    },
  }
}

const refusing: RequestLimiter = {
  arrived: () =>
    Promise.reject(
      new Refusal('rate_limit_exceeded', { seconds: 9 }, { headers: { 'retry-after': '9' } }),
    ),
  known: () => undefined,
}

t.test(
  '[LIMIT-4] a request is counted before it is looked at, and again by who it is',
  async (t) => {
    const { options, events } = area({ ...write, limiter: 'critical' }, () => null)
    const { ask } = await scriptedGateway(t, options)
    const body = '{}'
    t.equal((await ask('POST', '/api/it', { body, headers: own })).status, 200)
    t.strictSame(events, [
      'arrived: critical management.test.it 127.0.0.1',
      'known: critical management.test.it 127.0.0.1 7',
      'handled',
    ])

    events.length = 0
    t.equal((await ask('POST', '/api/it', { body: 'no json', headers: own })).status, 400)
    t.equal(events.length, 2, 'what is refused is counted too')
    t.equal((await ask('POST', '/api/it', { body, headers: json })).status, 200)
    t.equal(
      (await ask('POST', '/api/it', { body, headers: { ...json, 'sec-fetch-site': 'cross-site' } }))
        .status,
      403,
    )
  },
)

t.test(
  '[LIMIT-4] a write of secrets is counted once its body is read, before it is done',
  async (t) => {
    const { options, events } = area({ ...write, limiter: 'secrets' }, () => null)
    const { ask } = await scriptedGateway(t, options)
    t.equal((await ask('POST', '/api/it', { body: '{}', headers: own })).status, 200)
    t.strictSame(events, [
      'arrived: secrets management.test.it 127.0.0.1',
      'known: secrets management.test.it 127.0.0.1 7',
      'handled',
    ])
    events.length = 0
    t.equal((await ask('POST', '/api/it', { body: 'no json', headers: own })).status, 400)
    t.strictSame(events, ['arrived: secrets management.test.it 127.0.0.1'], 'nothing was written')
  },
)

t.test('[LIMIT-1] who is over the limit is informed of it, and when to come again', async (t) => {
  const { options, events } = area(write, () => null, { limiter: refusing })
  const { ask } = await scriptedGateway(t, options)
  const {
    status,
    headers,
    json: answer,
  } = await ask('POST', '/api/it', { body: '{}', headers: own })
  t.equal(status, 429)
  t.equal(headers['retry-after'], '9')
  t.match(answer, {
    success: false,
    code: 'rate_limit_exceeded',
    error: { code: 'rate_limit_exceeded', type: 'rate_limit_error', param: '' },
  })
  t.strictSame(events, [])
})

t.test('[LIMIT-1] of two buckets the tighter one is reported', async (t) => {
  const wide = { 'x-ratelimit-limit': '720', 'x-ratelimit-remaining': '700' }
  const tight = { 'x-ratelimit-limit': '20', 'x-ratelimit-remaining': '3' }
  for (const [first, second] of [
    [wide, tight],
    [tight, wide],
  ] as const) {
    const { options } = area(write, () => null, { limiter: limiterOf([], first, second) })
    const { ask } = await scriptedGateway(t, options)
    const { headers } = await ask('POST', '/api/it', { body: '{}', headers: own })
    t.match(headers, tight)
  }
})

t.test(
  '[LIMIT-7] [LIMIT-3] pages no route serves are counted, API paths by their own limit',
  async (t) => {
    const { options, events } = area({}, () => null)
    const { ask } = await scriptedGateway(t, options)
    for (const path of ['/', '/some/page', '/api/nothing', '/v1/nothing']) {
      t.equal((await ask('GET', path)).status, 404, path)
    }
    t.equal((await ask('POST', '/some/page')).status, 404)
    t.strictSame(events, [
      'arrived: web page 127.0.0.1',
      'arrived: web page 127.0.0.1',
      'arrived: api none 127.0.0.1',
    ])

    const { ask: refused } = await scriptedGateway(t, { ...options, limiter: refusing })
    const page = await refused('GET', '/some/page')
    t.equal(page.status, 429)
    t.equal(page.headers['retry-after'], '9')
    t.ok(page.headers['x-request-id'])
  },
)

t.test(
  'a write that succeeded is reported to the audit log, one that was refused is not',
  async (t) => {
    const handle: ManagementRoute['handle'] = ({ params }) => {
      if (params.id === '5') throw new Refusal('forbidden')
      return null
    }
    const { options, audited } = area(write, handle)
    const { ask } = await scriptedGateway(t, options)
    await ask('POST', '/api/it/4', { body: '{}', headers: own })
    await ask('POST', '/api/it/5', { body: '{}', headers: own })
    t.match(audited, [{ action: 'test.it', object: 'id 4', address: '127.0.0.1', principal: ada }])
    t.equal(audited.length, 1)
  },
)

t.test(
  'reading is not reported, unless its handler states that it was more than that',
  async (t) => {
    const answers = [null, { answer: true, data: 1, audit: { object: 'a thing', detail: 'seen' } }]
    const { options, audited } = area({ credential: 'admin' }, () => answers.shift())
    const { ask } = await scriptedGateway(t, options)
    await ask('GET', '/api/it')
    t.equal(audited.length, 0)
    await ask('GET', '/api/it')
    t.match(audited, [{ object: 'a thing', detail: 'seen' }])
  },
)

t.test('who signs in is named by the handler; a write of nobody is not recorded', async (t) => {
  const actor = { userId: 3, username: 'bob', role: 1 }
  const answers = [null, { answer: true, audit: { actor } }]
  const { options, audited } = area({ ...write, credential: 'none' }, () => answers.shift())
  const { ask } = await scriptedGateway(t, options)
  const body = '{"username": "bob"}'
  await ask('POST', '/api/it', { body, headers: own })
  t.equal(audited.length, 0)
  await ask('POST', '/api/it', { body, headers: own })
  t.match(audited, [{ actor, principal: undefined }])
})

t.test('several cookies are several headers', async (t) => {
  const cookies = ['session=a; Path=/', 'sign-in=; Max-Age=0']
  const answer = { answer: true, headers: { 'set-cookie': cookies } }
  const { options } = area({}, () => answer)
  const { ask } = await scriptedGateway(t, options)
  t.strictSame((await ask('GET', '/api/it')).headers['set-cookie'], cookies)
})

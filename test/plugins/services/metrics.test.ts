/** Numbers for Prometheus: what is counted, how it is reported, and where. */

import prom from 'prom-client'
import t from 'tap'
import type { Settling } from '../../../kernel/contract/line/delivery.js'
import type { LoadedRoute } from '../../../kernel/contract/management.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { Peers } from '../../../kernel/contract/services/peers.js'
import { createTraffic } from '../../../kernel/http/traffic.js'
import { noPeers } from '../../../kernel/peers.js'
import createMetrics from '../../../plugins/services/metrics/index.js'
import { Tally } from '../../../plugins/services/metrics/tally.js'
import { FakeClock } from '../../kit/clock.js'
import { testDatabase } from '../../kit/database.js'
import { quietLog } from '../../kit/fakes.js'
import { catalog, fakeSystem, settingsOf } from '../management/management-fixture.js'

const relayed = { declared: { path: '/v1/chat/completions' }, endpoint: {} } as LoadedRoute
const clock = new FakeClock()
const database = await testDatabase(t)

interface Around {
  readonly database?: Database
  readonly place?: { readonly host: string; readonly port: number }
  readonly peers?: Peers
}

function metricsOver({ database, place, peers = noPeers }: Around) {
  const system = fakeSystem(clock)
  const traffic = createTraffic(quietLog)
  const health = {
    breakers: () => [{ state: 'open' }, { state: 'open' }, { state: 'parked' }],
  }
  const metrics = createMetrics({
    settings: settingsOf({}),
    clock,
    log: quietLog,
    services: {
      system: { ...system, environment: { ...system.environment, metrics: place } },
      traffic,
      catalog: { ...catalog, routes: () => [relayed] },
      database: database ?? ({ knex: { client: { pool: {} } } } as Database),
      health: health as never,
      recordings: { counts: () => ({ written: 0, dropped: 0 }) } as never,
      peers,
    },
  })
  return { metrics, traffic }
}

const answered = { method: 'GET', status: 200, durationMs: 30 }

function settled(over: object = {}): Settling {
  const state = {
    operation: 'chat',
    format: { name: 'messages' },
    channel: { type: 14 },
    price: { cost: () => 12n },
    firstMs: 400,
  }
  const usage = { input: 5, cacheRead: 2, output: 7 }
  const delivery = { end: 'complete', usage, delivered: true }
  return { kind: 'delivered', state, delivery, attempts: [], ...over } as unknown as Settling
}

t.test('what was answered and settled is reported on a listener of its own', async (t) => {
  const { metrics, traffic } = metricsOver({ database, place: { host: '127.0.0.1', port: 0 } })
  t.equal(metrics.address(), undefined)
  await metrics.start?.()
  t.teardown(() => metrics.stop?.())

  traffic.answered({ ...answered, path: '/v1/chat/completions' })
  const limited = { path: '/v1/chat/completions', status: 429, code: 'rate_limit_exceeded' }
  traffic.answered({ ...answered, ...limited })
  traffic.answered({ ...answered, ...limited, code: 'upstream_rejected' })
  traffic.answered({ ...answered, path: '/api/status', status: 429, durationMs: 400_000 })
  traffic.answered({ ...answered, path: '/health' })
  traffic.answered({ ...answered, path: '/favicon.ico', status: 404 })
  traffic.settled(settled())
  const failure = { code: 'upstream_timeout' }
  const abandoned = { kind: 'abandoned', outcome: 'failed', attempts: [{ failure }, { failure }] }
  traffic.settled(settled(abandoned))
  traffic.settled(settled({ attempts: [{ failure: { code: 'a "quoted"\ncode' } }] }))

  const { status, headers, text } = await read(`${metrics.address()}/metrics`)
  t.equal(status, 200)
  t.match(headers.get('content-type'), /^text\/plain/)
  for (const line of [
    'waybill_requests_total{kind="relay",status="2xx"} 1',
    'waybill_requests_total{kind="relay",status="4xx"} 2',
    'waybill_requests_total{kind="management",status="4xx"} 1',
    'waybill_requests_total{kind="health",status="2xx"} 1',
    'waybill_requests_total{kind="page",status="4xx"} 1',
    'waybill_rate_limited_total{kind="relay"} 1',
    'waybill_rate_limited_total{kind="management"} 1',
    'waybill_request_duration_seconds_bucket{kind="relay",le="0.025"} 0',
    'waybill_request_duration_seconds_bucket{kind="relay",le="0.05"} 3',
    'waybill_request_duration_seconds_bucket{kind="relay",le="+Inf"} 3',
    'waybill_request_duration_seconds_bucket{kind="management",le="300"} 0',
    'waybill_request_duration_seconds_count{kind="management"} 1',
    'waybill_relayed_total{operation="chat",format="messages",channel_type="14"} 2',
    'waybill_input_tokens_total{operation="chat",format="messages",channel_type="14"} 14',
    'waybill_output_tokens_total{operation="chat",format="messages",channel_type="14"} 14',
    'waybill_charged_quota_total{operation="chat",format="messages",channel_type="14"} 24',
    'waybill_relay_ends_total{end="complete"} 2',
    'waybill_relay_ends_total{end="failed"} 1',
    'waybill_upstream_failures_total{code="upstream_timeout"} 2',
    'waybill_upstream_failures_total{code="a__quoted__code"} 1',
    'waybill_first_content_seconds_count 2',
    'waybill_breakers{state="open"} 2',
    'waybill_breakers{state="half-open"} 0',
    'waybill_breakers{state="parked"} 1',
    'waybill_database_up 1',
    'waybill_holds 0',
    'waybill_held_quota 0',
    'waybill_outbox_waiting 0',
    'waybill_ledger_check_failed 0',
    'waybill_ledger_checked_timestamp_seconds 0',
    'waybill_ledger_breaches 0',
  ]) {
    t.ok(text.split('\n').includes(line), line)
  }
  t.match(text, /^nodejs_eventloop_lag_seconds /m)
  t.match(text, /^waybill_database_connections\{state="used"\} \d+$/m)
})

t.test('every line has the form Prometheus reads, and no series stands there twice', async (t) => {
  const { metrics, traffic } = metricsOver({ database, place: { host: '127.0.0.1', port: 0 } })
  await metrics.start?.()
  t.teardown(() => metrics.stop?.())
  traffic.settled(settled())
  const { text } = await read(`${metrics.address()}/metrics`)
  const lines = text.split('\n').filter((line) => line !== '')
  const series = /^([a-zA-Z_:][\w:]*(?:\{(?:\w+="[^"\\]*",?)+\})?) (-?[\d.e+-]+|Nan|\+Inf)$/
  const results = lines.filter((line) => !line.startsWith('# '))
  t.strictSame(
    results.filter((line) => !series.test(line)),
    [],
  )
  const names = results.map((line) => series.exec(line)?.[1])
  t.equal(new Set(names).size, names.length)
  const types = lines.filter((line) => line.startsWith('# TYPE ')).map((line) => line.split(' ')[2])
  t.equal(new Set(types).size, types.length)
})

t.test('the listener has one path and one method', async (t) => {
  const { metrics } = metricsOver({ place: { host: '127.0.0.1', port: 0 } })
  await metrics.start?.()
  t.teardown(() => metrics.stop?.())
  const address = metrics.address()
  t.equal((await read(`${address}/`)).status, 404)
  t.equal((await read(`${address}/metrics/`)).status, 404)
  t.equal((await read(`${address}/metrics`, 'POST')).status, 405)
  const { status, text } = await read(`${address}/metrics?x=1`)
  t.equal(status, 500, 'a pool that is no pool is a fault, and the process lives')
  t.equal(text, '')
})

t.test('a database that does not answer is reported as such, with everything else', async (t) => {
  const pool = { numUsed: () => 1, numFree: () => 2, numPendingAcquires: () => 3 }
  const knex = { client: { pool }, raw: () => Promise.reject(new Error('gone')) }
  const { metrics } = metricsOver({
    database: { knex } as unknown as Database,
    place: { host: '127.0.0.1', port: 0 },
  })
  await metrics.start?.()
  t.teardown(() => metrics.stop?.())
  const { status, text } = await read(`${metrics.address()}/metrics`)
  t.equal(status, 200)
  t.match(text, 'waybill_database_up 0\n')
  t.match(text, 'waybill_database_connections{state="waiting"} 3\n')
  t.notMatch(text, 'waybill_holds')
})

t.test('nothing listens and nothing is counted unless a port is named', async (t) => {
  const { metrics, traffic } = metricsOver({})
  await metrics.start?.()
  t.equal(metrics.address(), undefined)
  traffic.answered({ ...answered, path: '/v1/models' })
  t.match(traffic.answers(), { '2xx': 1, '5xx': 0 })
  await metrics.stop?.()
  t.strictSame(prom.register.getMetricsAsArray(), [], 'nothing is left with the process')
})

t.test('labels are bounded, whatever comes', async (t) => {
  const tally = new Tally()
  for (let n = 0; n < 1000; n++) tally.add(`word ${n}`)
  const entries = new Map(tally.entries())
  t.equal(entries.size, 101)
  t.equal(entries.get('other'), 900)
})

t.test('who counts wrongly harms no request', async (t) => {
  const traffic = createTraffic(quietLog)
  traffic.onAnswered(() => {
    throw new Error('cannot count')
  })
  t.doesNotThrow(() => traffic.answered({ ...answered, path: '/' }))
})

async function read(url: string, method = 'GET') {
  const response = await fetch(url, { method })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

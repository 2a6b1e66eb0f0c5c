/** What anyone may know: status, health, and for admins the plugins. */
import t from 'tap'
import type { Database } from '../../../kernel/contract/service.js'
import createHealth from '../../../plugins/management/health/index.js'
import createPlugins from '../../../plugins/management/plugins/index.js'
import createStatus from '../../../plugins/management/status/index.js'
import type { Routing } from '../../../plugins/services/routing/index.js'
import type { Setup } from '../../../plugins/services/setup/index.js'
import { FakeClock } from '../../kit/clock.js'
import { quietLog } from '../../kit/fakes.js'
import { call, catalog, fakeSystem, settingsOf } from './desk.js'

const clock = new FakeClock()
const life = { clock, log: quietLog }

function setup(done: boolean): Setup {
  return { done: () => done, code: () => undefined, isCode: () => false, async complete() {} }
}

function toAuto(answer: boolean): Routing {
  const routing: Partial<Routing> = { defaultsToAuto: () => answer }
  return routing as Routing
}

t.test('[OPS-1] [API-2] the status names the version and what desktop clients read', async (t) => {
  const settings = settingsOf({ systemName: 'Acme', price: 7.3, quotaDisplayType: 'USD' })
  const services = { system: fakeSystem(clock), setup: setup(true), routing: toAuto(true) }
  const status = await call(createStatus({ ...life, settings, services }), 'read')
  t.match(status.version, /^v\d+\.\d+\.\d+(-preview\.\d+)?$/)
  t.match(status, {
    setup: true,
    start_time: Math.floor(clock.now() / 1000),
    system_name: 'Acme',
    quota_per_unit: 500_000,
    quota_display_type: 'USD',
    display_in_currency: true,
    price: 7.3,
    github_oauth: false,
    turnstile_check: false,
    default_use_auto_group: true,
    enable_data_export: true,
  })
  t.notMatch(JSON.stringify(status), /null|undefined/)
})

function health(probe: () => Promise<void>, accepting = () => true) {
  const database = { probe } as unknown as Database
  const services = { database, system: fakeSystem(clock, accepting) }
  return createHealth({ ...life, settings: settingsOf({}), services })
}

t.test('[API-1] live never asks the database, ready and health do', async (t) => {
  let asked = 0
  const area = health(async () => {
    asked++
  })
  t.match(await call(area, 'live'), { status: 200, bare: { success: true } })
  t.equal(asked, 0)
  t.match(await call(area, 'ready'), { status: 200, bare: { success: true } })
  t.match(await call(area, 'health'), { status: 200, bare: { success: true } })
  t.equal(asked, 2)
})

t.test('[API-1] a database that does not answer is told in general words', async (t) => {
  const area = health(async () => {
    throw new Error('password authentication failed for user "waybill"')
  })
  for (const route of ['ready', 'health']) {
    t.same(await call(area, route), {
      answer: true,
      status: 503,
      bare: { success: false, message: 'database connection failed', data: null },
    })
  }
  t.match(await call(area, 'live'), { status: 200 })
})

t.test('[API-1] many who ask at once share one probe', async (t) => {
  let asked = 0
  let answer = () => {}
  const area = health(() => {
    asked++
    return new Promise((resolve) => {
      answer = resolve
    })
  })
  const all = Promise.all([call(area, 'ready'), call(area, 'ready'), call(area, 'health')])
  answer()
  for (const result of await all) t.equal(result.status, 200)
  t.equal(asked, 1)
  const next = call(area, 'ready')
  answer()
  await next
  t.equal(asked, 2)
})

t.test('a gateway that stops is not ready, and lives', async (t) => {
  const area = health(
    async () => {},
    () => false,
  )
  t.match(await call(area, 'ready'), { status: 503, bare: { message: 'shutting down' } })
  t.match(await call(area, 'live'), { status: 200 })
})

t.test('admins see plugins, line and channel types', async (t) => {
  const line = [{ stage: 'auth', before: [], after: ['guard'] }]
  const services = { catalog: { ...catalog, line: () => line } }
  const area = createPlugins({ ...life, settings: settingsOf({}), services })
  const answer = await call(area, 'list')
  t.same(answer.line, line)
  t.equal(answer.channel_types.length, 3)
  t.same(answer.plugins, [])
})

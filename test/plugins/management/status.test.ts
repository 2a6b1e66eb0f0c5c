/** What anyone may know: status, health, and for admins the plugins. */

import { readFileSync } from 'node:fs'
import t from 'tap'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { Traffic } from '../../../kernel/contract/services/traffic.js'
import { noPeers } from '../../../kernel/peers.js'
import createHealth from '../../../plugins/management/health/index.js'
import createPlugins from '../../../plugins/management/plugins/index.js'
import createStatus from '../../../plugins/management/status/index.js'
import type { Challenge } from '../../../plugins/services/challenge/index.js'
import type { OAuth, OAuthButton } from '../../../plugins/services/oauth/index.js'
import type { Options } from '../../../plugins/services/options/index.js'
import type { Routing } from '../../../plugins/services/routing/index.js'
import type { Setup } from '../../../plugins/services/setup/index.js'
import { FakeClock } from '../../kit/clock.js'
import { quietLog } from '../../kit/fakes.js'
import { call, catalog, data, fakeSystem, settingsOf } from './management-fixture.js'

const clock = new FakeClock()
const life = { clock, log: quietLog }

function setup(done: boolean): Setup {
  return { done: () => done, code: () => undefined, isCode: () => false, async complete() {} }
}

function toAuto(answer: boolean): Routing {
  const routing: Partial<Routing> = { defaultsToAuto: () => answer }
  return routing as Routing
}

const github: OAuthButton = {
  provider: 'github',
  title: 'GitHub',
  icon: '',
  style: 'redirect',
  facts: { clientId: 'of github' },
}
const acme: OAuthButton = { ...github, provider: 'acme', title: 'Acme', facts: {} }

interface Around {
  readonly stored?: Readonly<Record<string, string>>
  readonly buttons?: readonly OAuthButton[]
  readonly siteKey?: string
  readonly probe?: () => Promise<void>
  readonly check?: Options['check']
}

function statusOver({ stored = {}, buttons = [], siteKey, probe, check = () => {} }: Around) {
  const field = { type: 'string', name: 'any', title: 'Any' } as const
  const listed = Object.entries(stored).map(([key, value]) => ({
    ...{ key, value, isSet: true, plugin: 'service.any' },
    field: key.endsWith('Secret') ? ({ ...field, type: 'secret' } as const) : field,
  }))
  const services = {
    system: fakeSystem(clock),
    setup: setup(true),
    routing: toAuto(true),
    options: { list: () => listed, check } as unknown as Options,
    challenge: { siteKey: () => siteKey } as Challenge,
    oauth: { buttons: () => buttons } as unknown as OAuth,
    database: { probe: probe ?? (async () => {}) } as Database,
    traffic: { answers: () => ({ '2xx': 3 }) } as unknown as Traffic,
    peers: noPeers,
  }
  const settings = settingsOf({
    ...{ systemName: 'Acme', price: 7.3, quotaDisplayType: 'USD', displayInCurrency: true },
    chats: [{ one: 'https://one.example' }],
  })
  return createStatus({ ...life, settings, services })
}

t.test(
  '[OPS-1] the version is reported on a path of its own, to those who are signed in',
  async (t) => {
    const area = statusOver({})
    const { version } = await data(area, 'version')
    t.match(version, /^v\d+\.\d+\.\d+(-preview\.\d+)?$/)
    t.notMatch(JSON.stringify(await data(area, 'read')), version)
    const file = new URL('../../../../plugins/management/status/manifest.json', import.meta.url)
    const { routes } = JSON.parse(readFileSync(file, 'utf8'))
    t.match(routes, [{}, {}, { name: 'version', credential: 'user' }])
  },
)

t.test('[API-2] the status names what desktop clients read', async (t) => {
  const status = await call(statusOver({ stored: { DataExportEnabled: 'true' } }), 'read')
  t.equal(status.version, '', 'the name stays for clients that read it')
  t.match(status, {
    setup: true,
    start_time: Math.floor(clock.now() / 1000),
    system_name: 'Acme',
    quota_per_unit: 500_000,
    quota_display_type: 'USD',
    display_in_currency: true,
    price: 7.3,
    stripe_unit_price: 8,
    github_oauth: false,
    turnstile_check: false,
    default_use_auto_group: true,
    enable_data_export: true,
    chats: [{ one: 'https://one.example' }],
  })
  t.notMatch(JSON.stringify(status), /null|undefined/)
})

/** management/README.md section 9. */
const keys = [
  'version start_time email_verification github_oauth github_client_id discord_oauth discord_client_id',
  'linuxdo_oauth linuxdo_client_id linuxdo_minimum_trust_level telegram_oauth telegram_bot_name',
  'system_name logo footer_html wechat_qrcode wechat_login server_address turnstile_check',
  'turnstile_site_key top_up_link docs_link quota_per_unit display_in_currency quota_display_type',
  'custom_currency_symbol custom_currency_exchange_rate enable_batch_update enable_drawing enable_task',
  'enable_data_export data_export_default_time default_collapse_sidebar mj_notify_enabled chats',
  'demo_site_enabled self_use_mode_enabled default_use_auto_group usd_exchange_rate price',
  'stripe_unit_price api_info_enabled uptime_kuma_enabled announcements_enabled faq_enabled',
  'HeaderNavModules SidebarModulesAdmin oidc_enabled oidc_client_id oidc_authorization_endpoint',
  'passkey_login passkey_display_name passkey_rp_id passkey_origins passkey_allow_insecure',
  'passkey_user_verification passkey_attachment setup user_agreement_enabled privacy_policy_enabled',
  'checkin_enabled',
  // Ours: what a sign-in page leaves out.
  'register_enabled password_register_enabled password_login_enabled password_reset_enabled',
].flatMap((line) => line.split(' '))

t.test('the public address is an address, and nothing but that', async (t) => {
  const checks = new Map<string, (text: string) => void>()
  statusOver({ check: (key, check) => void checks.set(key, check) })
  const check = checks.get('ServerAddress')!
  const sound = [
    ...['', 'https://gateway.example', 'https://gateway.example/', 'HTTPS://Gateway.example'],
    ...['http://127.0.0.1:3000', 'http://[::1]:3000', 'https://网关.example'],
  ]
  for (const text of sound) t.doesNotThrow(() => check(text), text)
  const faults = [
    [/begins with http/, 'gateway.example', 'ftp://gateway.example', 'javascript:alert(1)'],
    [/begins with http/, 'https://', 'https:gateway.example', '//gateway.example', '/'],
    [
      /begins with http/,
      ' https://gateway.example',
      'https://gate way.example',
      'https://a\nb.example',
    ],
    [/user name/, 'https://root:secret@gateway.example', 'https://root@gateway.example'],
    [/before \? and #/, 'https://gateway.example?a=1', 'https://gateway.example/#/home'],
    [/before \? and #/, 'https://gateway.example/?', 'https://gateway.example#'],
    [/without a path/, 'https://gateway.example/v1', 'https://gateway.example/v1/'],
  ] as const
  for (const [message, ...texts] of faults) {
    for (const text of texts) {
      const refusal = { code: 'invalid_field', param: 'ServerAddress', message }
      t.throws(() => check(text), refusal, text)
    }
  }
})

t.test('every key of the family is there, whatever is configured', async (t) => {
  const status = await call(statusOver({}), 'read')
  t.strictSame(Object.keys(status).sort(), [...keys].sort())
})

t.test('what is switched on is reported, and never a secret', async (t) => {
  const stored = {
    GitHubClientId: 'of github',
    GitHubClientSecret: 'hunter2',
    'discord.client_id': 'of discord',
    LinuxDOMinimumTrustLevel: '2',
    EmailVerificationEnabled: 'true',
    RegisterEnabled: 'true',
    PasswordLoginEnabled: 'true',
    'legal.user_agreement': 'You agree.',
    'passkey.enabled': 'true',
    'passkey.rp_id': 'gateway.example',
    'console_setting.faq_enabled': 'true',
    'console_setting.faq': '[{"question":"q","answer":"a"}]',
    'console_setting.announcements': '[{"content":"c"}]',
  }
  const area = statusOver({ stored, buttons: [github, acme], siteKey: 'site' })
  const status = await call(area, 'read')
  t.match(status, {
    github_oauth: true,
    github_client_id: 'of github',
    discord_oauth: false,
    discord_client_id: '',
    linuxdo_minimum_trust_level: 0,
    email_verification: true,
    register_enabled: true,
    password_register_enabled: false,
    password_login_enabled: true,
    turnstile_check: true,
    turnstile_site_key: 'site',
    user_agreement_enabled: true,
    privacy_policy_enabled: false,
    passkey_login: true,
    passkey_rp_id: 'gateway.example',
    faq_enabled: true,
    faq: [{ question: 'q', answer: 'a' }],
    announcements_enabled: false,
    announcements: undefined,
    custom_oauth_providers: [{ slug: 'acme', name: 'Acme', icon: '' }],
  })
  t.notMatch(JSON.stringify(status), 'hunter2')
})

t.test('admins hear whether the database answers, and what was answered so far', async (t) => {
  t.match(await call(statusOver({}), 'test'), {
    data: { database: 'ok', database_ms: 0 },
    beside: { http_stats: { '2xx': 3 } },
  })
  const broken = statusOver({ probe: () => Promise.reject(new Error('password of waybill')) })
  await t.rejects(call(broken, 'test'), { code: 'database_unavailable' })
})

function health(probe: () => Promise<void>, accepting = () => true) {
  const database = { probe } as unknown as Database
  const services = { database, system: fakeSystem(clock, accepting) }
  return createHealth({ ...life, settings: settingsOf({}), services })
}

t.test('[API-1] live never asks the database, ready and health do', async (t) => {
  let requestCount = 0
  const area = health(async () => {
    requestCount++
  })
  t.match(await call(area, 'live'), { status: 200, bare: { success: true } })
  t.equal(requestCount, 0)
  t.match(await call(area, 'ready'), { status: 200, bare: { success: true } })
  t.match(await call(area, 'health'), { status: 200, bare: { success: true } })
  t.equal(requestCount, 2)
})

t.test('[API-1] a database that does not answer is reported in general words', async (t) => {
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
  let requestCount = 0
  let answer = () => {}
  const area = health(() => {
    requestCount++
    return new Promise((resolve) => {
      answer = resolve
    })
  })
  const all = Promise.all([call(area, 'ready'), call(area, 'ready'), call(area, 'health')])
  answer()
  for (const result of await all) t.equal(result.status, 200)
  t.equal(requestCount, 1)
  const next = call(area, 'ready')
  answer()
  await next
  t.equal(requestCount, 2)
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
  const idle = async () => {}
  const services = {
    catalog: { ...catalog, line: () => line },
    'plugin-switches': { set: idle, reload: idle },
    peers: noPeers,
  }
  const area = createPlugins({ ...life, settings: settingsOf({}), services })
  const answer = await call(area, 'list')
  t.same(answer.line, line)
  t.equal(answer.channel_types.length, 3)
  t.same(answer.plugins, [])
})

/**
 * The management areas with everything they stand on, over a database of their own: real services, and stand-ins only
 * for what lies outside (the options, the catalog, the registry of providers).
 */

import { createHash } from 'node:crypto'
import type { ObjectSchema } from 'joi'
import type { Test as TapTest } from 'tap'
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import type { Life, Log, Settings } from '../../../kernel/contract/kit.js'
import type {
  Answer,
  Management,
  ManagementRequest,
  Principal,
} from '../../../kernel/contract/management.js'
import type { SettingField } from '../../../kernel/contract/manifest.js'
import type { Catalog } from '../../../kernel/contract/services/catalog.js'
import type { Changes } from '../../../kernel/contract/services/changes.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { Providers } from '../../../kernel/contract/services/providers.js'
import type { Schedule } from '../../../kernel/contract/services/schedule.js'
import type { SecretBox } from '../../../kernel/contract/services/secrets.js'
import type { System } from '../../../kernel/contract/services/system.js'
import { createTraffic } from '../../../kernel/http/traffic.js'
import { noPeers } from '../../../kernel/peers.js'
import type { OpenDatabase } from '../../../kernel/store/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/refusal.js'
import type { Channels } from '../../../plugins/services/channels/index.js'
import createChannels from '../../../plugins/services/channels/index.js'
import type { Guesses } from '../../../plugins/services/guesses/index.js'
import type { Health } from '../../../plugins/services/health/index.js'
import createIdentity, { type Identity } from '../../../plugins/services/identity/index.js'
import createLedger, { type Ledger } from '../../../plugins/services/ledger/index.js'
import type { Options } from '../../../plugins/services/options/index.js'
import { checkedCostTerms } from '../../../plugins/services/pricing/cost-terms.js'
import type { Pricing } from '../../../plugins/services/pricing/index.js'
import createRewriting from '../../../plugins/services/rewriting/index.js'
import createRouting, { type Routing } from '../../../plugins/services/routing/index.js'
import createSetup, { type Setup } from '../../../plugins/services/setup/index.js'
import createUsageLog, { type UsageLog } from '../../../plugins/services/usage-log/index.js'
import { FakeClock } from '../../kit/clock.js'
import { testDatabase } from '../../kit/database.js'
import { requestId, unlimited } from '../../kit/fakes.js'
import { noRateLimits } from '../../kit/gateway.js'
import { requireDeclared } from '../../kit/responses.js'

type Test = Pick<TapTest, 'teardown'>

export interface ManagementFixture {
  readonly database: Database
  readonly changes: Changes
  readonly clock: FakeClock
  readonly log: RecordingLog
  readonly secrets: SecretBox
  readonly system: System
  readonly catalog: Catalog
  readonly providers: Providers
  readonly pricing: Pricing
  readonly ledger: Ledger
  readonly identity: Identity
  readonly channels: Channels
  readonly routing: Routing
  readonly 'usage-log': UsageLog
  readonly setup: Setup & Life
  /** Makes a user of that name and a number no other has, with a password and an empty wallet. */
  person(name: string, role?: number): Promise<Principal>
  /** Has the whole gateway hear of changed rows. */
  tell(topic: string, ...ids: readonly number[]): Promise<void>
  /** Makes an API key directly; answers its text and id. */
  apiKey(
    userId: number,
    fields?: JsonObject,
  ): Promise<{ readonly key: string; readonly id: number }>
}

export const password = 'correct horse battery'

/** Guesses are counted by nobody here. */
export const freeGuesses: Guesses = {
  password: async () => 'stranger',
  inSession: async () => {},
  onDevice: async () => false,
  slowly: async () => {},
  deviceCookie: () => 'device=; Max-Age=0',
}

/** `more`: channel types beside the usual ones. `own`: a database that others use as well; absent: one of the test alone. */
export async function managementFixture(
  t: Test,
  more: readonly ReturnType<Catalog['channelTypes']>[number][] = [],
  own?: OpenDatabase,
): Promise<ManagementFixture> {
  const types = [...usual.catalog.channelTypes(), ...more]
  const catalog = { ...usual.catalog, channelTypes: () => types }
  const defaultBaseUrl = (id: number) => types.find((type) => type.id === id)?.baseUrl
  const providers = { ...usual.providers, defaultBaseUrl }
  const database = own ?? (await testDatabase(t))
  const { changes } = database
  const clock = new FakeClock()
  const log = new RecordingLog()
  const system = fakeSystem(clock)
  const life = { settings: settingsOf({}), clock, log }
  const ledger = createLedger({ ...life, services: { database, schedule, system, peers: noPeers } })
  await ledger.start?.()
  const identity = createIdentity({
    ...life,
    settings: settingsOf({ accessTokenDaysDefault: 90, accessTokenDaysMax: 365 }),
    services: { database, changes, system, ledger, schedule, options, 'rate-limits': unlimited },
  })
  const channels = createChannels({
    ...life,
    services: { database, changes, providers, catalog, secrets, rewriting: createRewriting() },
  })
  await channels.start?.()
  const ground = { database, changes, channels, clock, log }
  const routing = await routingOver(ground, { groups: pricing.groups(), usable: usableGroups })
  const usageLog = createUsageLog({
    ...life,
    services: { database, schedule, options, traffic: createTraffic(log) },
  })
  const setup = createSetup({ ...life, services: { database, changes, secrets, identity, ledger } })
  await setup.start?.()
  t.teardown(async () => {
    const breaches = await ledger.check()
    await ledger.stop?.()
    if (breaches.length > 0) throw new Error(`the books: ${JSON.stringify(breaches)}`)
  })

  let people = 0

  async function person(name: string, role = 1): Promise<Principal> {
    const username = `${name}${++people}`
    // One hash for all: hashing is what identity's own tests are about.
    const passwordHash = await knownHash(identity)
    const userId = await database.knex.transaction((trx) =>
      identity.enroll(
        { username, displayName: username, passwordHash, role, group: 'default' },
        trx,
      ),
    )
    await changes.settled()
    return { userId, username, role, group: 'default', via: 'session' }
  }

  async function apiKey(userId: number, fields: JsonObject = {}) {
    const { key, hash, tail } = identity.newKey()
    const [row] = await database
      .knex('tokens')
      .insert({
        user_id: userId,
        name: 'key',
        key_hash: hash,
        key_sealed: '',
        key_tail: tail,
        ...fields,
      })
      .returning('id')
    return { key: `sk-${key}`, id: row.id }
  }

  return {
    database,
    changes,
    tell: (topic, ...ids) => tell(database, topic, ids),
    clock,
    log,
    secrets,
    system,
    catalog,
    providers,
    pricing,
    ledger,
    identity,
    channels,
    routing,
    'usage-log': usageLog,
    setup,
    person,
    apiKey,
  }
}

export interface Groups {
  /** Those that have a ratio. */
  readonly groups: readonly string[]
  /** Description by name of those everybody may use; the service also lets everybody use their own. */
  readonly usable: JsonObject
}

/** The real routing service, over the auto routes of the database. */
export async function routingOver(
  ground: Pick<ManagementFixture, 'database' | 'changes' | 'channels' | 'clock' | 'log'>,
  { groups, usable }: Groups,
): Promise<Routing> {
  const { clock, log, ...services } = ground
  const routing = createRouting({
    settings: settingsOf({ usableGroups: usable, retryTimes: 2 }),
    clock,
    log,
    services: {
      ...services,
      options,
      health: healthy,
      pricing: { ...pricing, groups: () => groups },
      providers,
    },
  })
  await routing.start?.()
  return routing
}

/** Notes the rows as a management write does, and waits until they were heard. */
export async function tell(
  { knex, changes }: OpenDatabase,
  topic: string,
  ids: readonly number[],
): Promise<void> {
  await knex.transaction(async (trx) => {
    for (const id of ids) await changes.note(trx, topic, id)
  })
  await changes.settled()
}

let hashed: Promise<string> | undefined

function knownHash(identity: Identity): Promise<string> {
  hashed ??= identity.hash(password)
  return hashed
}

export class RecordingLog implements Log {
  readonly lines: string[] = []

  debug(): void {}

  info(_fields: object, message: string): void {
    this.lines.push(message)
  }

  warn(_fields: object, message: string): void {
    this.lines.push(message)
  }

  error(_fields: object, message: string): void {
    this.lines.push(message)
  }
}

export function settingsOf(all: JsonObject): Settings {
  return {
    all,
    string: (name) => String(all[name] ?? ''),
    number: (name) => Number(all[name] ?? 0),
    boolean: (name) => all[name] === true,
    json(name) {
      const value = all[name]
      return isObject(value) ? value : {}
    },
    onChange() {},
  }
}

/** Bound to its place, as the real one is; readable, as the real one is not. */
export const secrets: SecretBox = {
  seal: (place, secret) => Buffer.from(`${place}|${secret}`).toString('base64'),
  open(place, sealed) {
    const text = Buffer.from(sealed, 'base64').toString()
    if (!text.startsWith(`${place}|`)) throw new Error('sealed for another place')
    return text.slice(place.length + 1)
  },
  openText: (place, sealed) => secrets.open(place, sealed),
  derive: (purpose) => createHash('sha256').update(purpose).digest(),
}

const region: SettingField = {
  name: 'region',
  type: 'select',
  options: ['eu', 'us'],
  default: 'eu',
  title: 'Region',
}
const fields: readonly SettingField[] = [
  region,
  { name: 'tier', type: 'number', integer: true, min: 1, max: 3, title: 'Tier' },
  { name: 'account', type: 'secret', title: 'Account' },
]

export const catalog: Catalog = {
  list: () => [],
  problems: () => [],
  onChange: () => {},
  line: () => [],
  routes: () => [],
  channelTypes: () => [
    {
      id: 1,
      name: 'one',
      key: 'p/one',
      title: 'One',
      baseUrl: 'https://one.example',
      plugin: 'p',
      fields: [],
    },
    { id: 8, name: 'own', key: 'p/own', title: 'Own', baseUrl: '', plugin: 'p', fields: [] },
    {
      id: 901,
      name: 'acme',
      key: 'p/acme',
      title: 'Acme',
      baseUrl: 'https://acme.example',
      plugin: 'p',
      fields,
    },
  ],
}

export const providers: Providers = {
  adapter: () => undefined,
  provider: () => undefined,
  hosts: () => [],
  knows: (id) => catalog.channelTypes().some((type) => type.id === id),
  defaultBaseUrl: (id) => catalog.channelTypes().find((type) => type.id === id)?.baseUrl,
  async warm() {},
}

const pricing: Pricing = {
  current() {
    throw new Error('no prices here')
  },
  priced: () => true,
  groups: () => ['default', 'vip'],
  ratio: () => 1,
  change: async () => [],
  preview: () => [],
  costTerms: checkedCostTerms,
  ofTerms() {
    throw new Error('no prices here')
  },
  example() {
    throw new Error('no prices here')
  },
}

const usableGroups: JsonObject = { default: 'Default group', vip: 'VIP group' }

/** Every channel of it is well. */
const healthy: Health = {
  admits: () => true,
  spares: () => true,
  wait: () => undefined,
  claim: () => ({ ended() {} }),
  broke() {},
  breakers: () => [],
  reset: () => 0,
  latencies: () => [],
  breakersOfAll: async () => [],
  resetOfAll: async () => 0,
  tested() {},
  lastKnown: async () => new Map(),
  latenciesOfAll: async (ids) => ids.map(() => []),
}

/** Nobody stores an option here. */
export const options: Options = {
  of: () => settingsOf({}),
  list: () => [],
  put: async () => {},
  change: async () => {},
  check() {},
  seed: async () => {},
  reset: async () => {},
}

/** Timed jobs that never run. */
const idle = () => ({ stop() {}, async now() {} })
const schedule: Schedule = { every: idle, everyLeased: idle }

export function fakeSystem(clock: FakeClock, accepting = () => true): System {
  return {
    version: 'v1.0.5-preview.4',
    startedAt: clock.now(),
    nodeName: 'test',
    accepting,
    droppedLogLines: () => 0,
    environment: {
      port: 0,
      host: '127.0.0.1',
      dataDir: 'memory://',
      trustedProxies: [],
      allowPrivateUpstreams: true,
      maxRequestBodyBytes: 1_000_000,
      streamingTimeoutMs: 30_000,
      relayTimeoutMs: 0,
      rateLimits: noRateLimits,
      nodeName: 'test',
    },
  }
}

export interface RequestOptions {
  readonly principal?: Principal
  readonly query?: unknown
  readonly body?: unknown
  readonly params?: Readonly<Record<string, string>>
  readonly headers?: ManagementRequest['headers']
  readonly address?: string
  readonly secure?: boolean
  readonly moneyKey?: string
}

/** Calls a route as the server does: schemas first, then the handler. What a schema refuses is thrown. */
export async function call(
  area: Management,
  name: string,
  sent: RequestOptions = {},
  // biome-ignore lint/suspicious/noExplicitAny: answers differ by route; tests look into the fields they name.
): Promise<any> {
  const route = area.routes[name]
  if (route === undefined) throw new Error(`no route ${name}`)
  const answer = await route.handle({
    requestId,
    address: '203.0.113.9',
    secure: false,
    moneyKey: 'money-1',
    headers: {},
    ...sent,
    params: checked(route.params, sent.params ?? {}),
    query: checked(route.query, sent.query ?? {}),
    body: checked(route.body, sent.body),
  })
  requireDeclared(name, route, answer)
  return answer
}

function checked(schema: unknown, value: unknown) {
  if (schema === undefined) return value
  const { error, value: valid } = (schema as ObjectSchema).validate(value)
  if (error) {
    const param = error.details[0]?.path.join('.') ?? ''
    throw new Refusal('invalid_field', { reason: error.message, param })
  }
  return valid
}

/** `data` of either kind of answer. */
export async function data(
  area: Management,
  name: string,
  sent: RequestOptions = {},
  // biome-ignore lint/suspicious/noExplicitAny: as above.
): Promise<any> {
  const answer = await call(area, name, sent)
  return isAnswer(answer) ? answer.data : answer
}

function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && 'answer' in value
}

/** A sign-in by password as the console makes it, second factors aside. */
export async function passwordSignIn(identity: Identity, attempt: PasswordAttempt) {
  const { username, password: given, ...facts } = attempt
  const userId = await identity.byPassword(username, given)
  return identity.openSession({ userId, method: 'password', ...facts })
}

interface PasswordAttempt {
  readonly username: string
  readonly password: string
  readonly address: string
  readonly userAgent: string
  readonly secure: boolean
}

/** Of every fixture. */
const usual = { catalog, providers }

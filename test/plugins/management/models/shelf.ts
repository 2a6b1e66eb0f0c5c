/**
 * The areas that know of models and prices, over real HTTP and a database of their own: options, prices and the
 * registry are the real ones; who calls, which channels serve and which groups are usable the test states.
 */
import { readFile } from 'node:fs/promises'
import type { Test } from 'tap'
import type { Channel } from '../../../../kernel/contract/line/channel.js'
import type { Management, Principal } from '../../../../kernel/contract/management.js'
import type { Manifest, RouteManifest } from '../../../../kernel/contract/manifest.js'
import createModels from '../../../../plugins/management/models/index.js'
import createOptionsArea from '../../../../plugins/management/options/index.js'
import createPrefillGroups from '../../../../plugins/management/prefill-groups/index.js'
import createPrices from '../../../../plugins/management/prices/index.js'
import createVendors from '../../../../plugins/management/vendors/index.js'
import type { Channels } from '../../../../plugins/services/channels/index.js'
import type { Identity } from '../../../../plugins/services/identity/index.js'
import createRegistry, {
  type ModelRegistry,
} from '../../../../plugins/services/model-registry/index.js'
import createPricing, { type Pricing } from '../../../../plugins/services/pricing/index.js'
import type { Routing } from '../../../../plugins/services/routing/index.js'
import type { UsageLog } from '../../../../plugins/services/usage-log/index.js'
import { exchange, scriptedGateway } from '../../../kernel/http/harness.js'
import { FakeClock } from '../../../kit/clock.js'
import { silentLog, testDatabase } from '../../../kit/database.js'
import {
  manifestWith,
  optionsOver,
  type TestDatabase,
} from '../../services/options/options-fixture.js'
import { catalog } from '../management-fixture.js'

export interface Shelf {
  readonly database: TestDatabase
  readonly pricing: Pricing
  readonly registry: ModelRegistry
  /** Who calls from now on; undefined: nobody signed in. */
  caller: Principal | undefined
  /** Enabled and disabled channels, as the channels service would have them. */
  channels: readonly TestChannel[]
  /** Groups the caller may use, by the caller's own. */
  usable: Readonly<Record<string, readonly string[]>>
  call(method: string, path: string, body?: unknown): Promise<Answer>
  /** The same, but anything else than success is an error of the test; `data` comes back. */
  // biome-ignore lint/suspicious/noExplicitAny: answers differ by route; tests look into the fields they name.
  must(method: string, path: string, body?: unknown): Promise<any>
  /** The stored text of an option. */
  stored(key: string): Promise<string | undefined>
  /** Takes all models and vendors away, and lets everybody hear of it. */
  clear(): Promise<void>
}

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly body: any
}

export type TestChannel = Pick<Channel, 'id' | 'name' | 'type' | 'groups' | 'enabled'> & {
  readonly models: readonly string[]
}

const person = { userId: 7, username: 'ada', group: 'default', via: 'session' } as const
export const root: Principal = { ...person, role: 100 }
export const admin: Principal = { ...person, role: 10 }
export const member: Principal = { ...person, role: 1, group: 'vip' }

export const channel = (id: number, over: Partial<TestChannel> = {}): TestChannel => ({
  id,
  name: `channel ${id}`,
  type: 1,
  groups: ['default'],
  models: [],
  enabled: true,
  ...over,
})

const usageLog = { modelSpeeds: async () => new Map() } as unknown as UsageLog

export async function shelf(t: Test): Promise<Shelf> {
  const database = await testDatabase(t)
  const manifests = await Promise.all(
    [
      'services/pricing',
      'management/options',
      'management/prices',
      'management/models',
      'management/vendors',
      'management/prefill-groups',
    ].map(manifestAt),
  )
  const options = optionsOver(database, { manifests })
  const life = (manifest: Manifest) => ({
    settings: options.of(manifest),
    clock: new FakeClock(),
    log: silentLog,
  })
  const [pricesOf, optionsOf, pricesArea, models, vendors, prefill] = manifests.map(life)
  const { changes } = database
  const self = { caller: root, channels: [], usable: { default: ['default'] } } as unknown as Shelf
  const channels = fakeChannels(self)
  const pricing = createPricing({ ...pricesOf!, services: { options } })
  const registry = createRegistry({ ...models!, services: { database, changes, channels } })
  await options.start()
  await pricing.start?.()
  await registry.start?.()
  const shared = { pricing, 'model-registry': registry }
  const identity = { principal: async () => self.caller } as unknown as Identity
  const routing = fakeRouting(self)
  const areas: readonly Management[] = [
    createOptionsArea({ ...optionsOf!, services: { options } }),
    createPrices({
      ...pricesArea!,
      services: { ...shared, identity, routing, channels, catalog, 'usage-log': usageLog },
    }),
    createModels({ ...models!, services: { ...shared, database, changes } }),
    createVendors({ ...vendors!, services: { database, changes } }),
    createPrefillGroups({ ...prefill!, services: { database } }),
  ]
  const { port } = await scriptedGateway(t, {
    ...merged(manifests.slice(1), areas),
    get principal() {
      return self.caller
    },
  })
  return Object.assign(self, {
    database,
    pricing,
    registry,
    ...callsTo(port),
    stored: storedIn(database),
    clear: () => clear(database),
  })
}

async function manifestAt(folder: string): Promise<Manifest> {
  const file = new URL(`../../../../plugins/${folder}/manifest.json`, import.meta.url)
  const declared: Manifest = JSON.parse(await readFile(file, 'utf8'))
  const routes = declared.routes ?? []
  return { ...manifestWith(declared.id, declared.settings ?? []), routes }
}

/** One area that holds the routes of all. */
function merged(manifests: readonly Manifest[], areas: readonly Management[]) {
  const managementRoutes: RouteManifest[] = []
  const routes: Record<string, Management['routes'][string]> = {}
  for (const [index, { id, routes: declared }] of manifests.entries()) {
    for (const route of declared) {
      managementRoutes.push({ ...route, name: `${id}.${route.name}` })
      routes[`${id}.${route.name}`] = areas[index]!.routes[route.name]!
    }
  }
  return { managementRoutes, management: { routes } }
}

function callsTo(port: number) {
  async function call(method: string, path: string, body?: unknown): Promise<Answer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const ask =
      body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: Buffer.from(text) }
    const { status, json } = await exchange(port, method, path, ask)
    return { status, body: json }
  }

  async function must(method: string, path: string, body?: unknown) {
    const { status, body: answer } = await call(method, path, body)
    if (status === 200 && answer.success) return answer.data
    throw new Error(`${method} ${path} answered ${status}: ${answer.message}`)
  }

  return { call, must }
}

function storedIn(database: TestDatabase) {
  return async (key: string): Promise<string | undefined> => {
    return (await database.knex('options').where({ key }).first('value'))?.value
  }
}

async function clear({ knex, changes }: TestDatabase): Promise<void> {
  await knex.transaction(async (trx) => {
    for (const topic of ['models', 'vendors']) {
      const gone = await trx(topic).delete().returning('id')
      for (const { id } of gone) await changes.note(trx, topic, id)
    }
  })
  await changes.settled()
}

function fakeChannels(self: Shelf): Channels {
  const all = () =>
    self.channels.map((one) => ({ ...one, models: new Set(one.models) }) as unknown as Channel)
  const models = (group: string) => {
    const serving = all().filter(({ enabled, groups }) => enabled && groups.includes(group))
    return [...new Set(serving.flatMap((one) => [...one.models]))].sort()
  }
  return { all, models } as unknown as Channels
}

/** Every group at half the price. */
function fakeRouting(self: Shelf): Routing {
  const usable = (group: string) => self.usable[group] ?? []
  return {
    usableGroups: ({ group }: { readonly group: string }) =>
      usable(group).map((name) => ({ name, ratio: 0.5, desc: `The ${name}` })),
    autoRoutes: ({ group }: { readonly group: string }) => [
      { key: 'auto', display_name: 'Auto', groups: usable(group) },
      { key: 'first', display_name: 'First', groups: usable(group).slice(0, 1) },
    ],
  } as unknown as Routing
}

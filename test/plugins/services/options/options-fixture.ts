/** An options service over a test database, with the manifests and the secret box a test needs. */
import type { Life, Log } from '../../../../kernel/contract/kit.js'
import type { Manifest, PluginState, SettingField } from '../../../../kernel/contract/manifest.js'
import type { Catalog } from '../../../../kernel/contract/services/catalog.js'
import type { SecretBox } from '../../../../kernel/contract/services/secrets.js'
import createOptions, { type Options } from '../../../../plugins/services/options/index.js'
import { FakeClock } from '../../../kit/clock.js'
import { silentLog, type testDatabase } from '../../../kit/database.js'

export type TestDatabase = Awaited<ReturnType<typeof testDatabase>>

export function manifestWith(id: string, settings: readonly SettingField[]): Manifest {
  return {
    id,
    kind: 'service',
    engines: { waybill: '^1.0' },
    version: '1.0.0',
    title: id,
    entry: './index.js',
    requires: [],
    hosts: [],
    channelTypes: [],
    settings,
    channelSettings: [],
    instanceSettings: [],
    userSettings: [],
    routes: [],
  }
}

/** Envelopes anyone can read, bound to their place all the same. */
export const plainSecrets: SecretBox = {
  seal: (place, secret) => `sealed:${place}:${Buffer.from(secret).toString('base64')}`,
  open(place, sealed) {
    const head = `sealed:${place}:`
    if (!sealed.startsWith(head)) throw new Error('this envelope was made for another place')
    return Buffer.from(sealed.slice(head.length), 'base64').toString()
  },
  openText: (place, sealed) => plainSecrets.open(place, sealed),
  derive: () => Buffer.alloc(32),
}

export interface OptionsTerms {
  readonly manifests: readonly Manifest[]
  readonly states?: Readonly<Record<string, PluginState>>
  readonly log?: Log
}

/** One service as one process has it; several over one database stand for several processes. */
export function optionsOver(
  database: TestDatabase,
  { manifests, states = {}, log = silentLog }: OptionsTerms,
): Options & Required<Pick<Life, 'start'>> {
  const catalog: Catalog = {
    list: () => manifests.map((manifest) => ({ manifest, state: states[manifest.id] ?? 'ready' })),
    problems: () => [],
    onChange: () => {},
    line: () => [],
    channelTypes: () => [],
    routes: () => [],
  }
  const made: Options & Life = createOptions({
    settings: {
      all: {},
      string: () => '',
      number: () => 0,
      boolean: () => false,
      json: () => ({}),
      onChange: () => undefined,
    },
    clock: new FakeClock(),
    log,
    services: { database, changes: database.changes, catalog, secrets: plainSecrets },
  })
  return { ...made, start: async () => made.start?.() }
}

/**
 * Options: the stored settings of every plugin. Keys and types come from the manifests, values from the table, and a
 * change made in any process shows in all of them (API-4).
 */

import type { Life, Settings } from '../../../kernel/contract/kit.js'
import type { Manifest, PluginState } from '../../../kernel/contract/manifest.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import type { Catalog } from '../../../kernel/contract/services/catalog.js'
import { OptionChecks } from './option-checks.js'
import { optionReader } from './option-reader.js'
import { OptionRegistry } from './option-registry.js'
import { optionStore, topic } from './option-store.js'
import { defaultText } from './option-value.js'
import { OptionValues } from './option-values.js'
import type { Options } from './options.js'
import { settingsView } from './settings-view.js'

export type * from './options.js'

export default function create({
  services,
  log,
}: Kit<'database' | 'changes' | 'catalog' | 'secrets'>): Options & Life {
  const { database, changes, catalog, secrets } = services
  const store = optionStore(database, changes, secrets)
  const registry = new OptionRegistry()
  const values = new OptionValues()
  const checks = new OptionChecks(registry)
  const read = optionReader({ store, values, log })
  /** What this installation stores where nothing is stored yet, by key. */
  const seeds = new Map<string, string>()

  changes.on(topic, (keys) => read([...keys].flatMap((key) => registry.get(key) ?? [])))

  async function put(given: Readonly<Record<string, unknown>>): Promise<void> {
    const pending: Promise<void>[] = []
    const writes = checks.checked(given, pending)
    await Promise.all(pending)
    await store.write(writes)
    await changes.settled()
  }

  async function change(
    keys: readonly string[],
    make: Parameters<Options['change']>[1],
  ): Promise<void> {
    const locks = keys.map((key) => {
      const option = checks.known(key)
      return { option, text: defaultText(option.field) }
    })
    await store.change(locks, (texts) => {
      const given = make(texts)
      const foreign = Object.keys(given).find((key) => !keys.includes(key))
      if (foreign !== undefined) throw new Error(`The option ${foreign} was not named before.`)
      return checks.checked(given)
    })
    await changes.settled()
  }

  return {
    of(manifest: Manifest): Settings {
      registry.add(manifest)
      return settingsView(manifest, values, log)
    },
    list: () =>
      registry.all().map(({ key, field, plugin }) => {
        const stored = values.text(key)
        const value = field.type === 'secret' ? '' : (stored ?? defaultText(field))
        return { key, value, isSet: (stored ?? '') !== '', field, plugin }
      }),
    put,
    change,
    async reset(keys) {
      const first = (key: string) => seeds.get(key) ?? defaultText(checks.known(key).field)
      await put(Object.fromEntries(keys.map((key) => [key, first(key)])))
    },
    check: (key, check) => checks.add(key, check),
    async seed(given) {
      for (const [key, text] of Object.entries(given)) seeds.set(key, text)
      await store.writeMissing(checks.checked(given))
      await changes.settled()
    },
    async start() {
      for (const manifest of declaring(catalog)) registry.add(manifest)
      await read(registry.all())
    },
  }
}

/** Sound plugins first: one that failed for claiming another's key does not get it. */
function declaring(catalog: Catalog): readonly Manifest[] {
  const rank = (state: PluginState) => (state === 'failed' ? 1 : 0)
  return [...catalog.list()]
    .sort((left, right) => rank(left.state) - rank(right.state))
    .map(({ manifest }) => manifest)
}

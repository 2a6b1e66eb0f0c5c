/**
 * Options: the stored settings of every plugin. Keys and types come from the manifests, values from the table, and a
 * change made in any process shows in all of them (API-4).
 */

import type { Life, Settings } from '../../../kernel/contract/kit.js'
import type { Manifest, PluginState } from '../../../kernel/contract/manifest.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import type { Catalog } from '../../../kernel/contract/services/catalog.js'
import { OptionRegistry, type Registered } from './option-registry.js'
import { type OptionWrite, optionStore, topic } from './option-store.js'
import { checkedText, defaultText, unknownOption } from './option-value.js'
import { OptionValues } from './option-values.js'
import type { Options } from './options.js'
import { settingsView } from './settings-view.js'

export type * from './options.js'

type Check = (text: string) => void | Promise<void>

export default function create({
  services,
  log,
}: Kit<'database' | 'changes' | 'catalog' | 'secrets'>): Options & Life {
  const { database, changes, catalog, secrets } = services
  const store = optionStore(database, changes, secrets)
  const registry = new OptionRegistry()
  const values = new OptionValues()
  const checks = new Map<string, Check[]>()
  const seeds = new Map<string, string>()
  let reading: Promise<void> = Promise.resolve()

  changes.on(topic, (keys) => reread([...keys].flatMap((key) => registry.get(key) ?? [])))

  /** One read at a time, so that an older answer never replaces a newer one. */
  function reread(options: readonly Registered[]): Promise<void> {
    const turn = reading.then(() => takeOver(options))
    reading = turn.catch(() => {})
    return turn
  }

  async function takeOver(options: readonly Registered[]): Promise<void> {
    const texts = new Map<string, string | undefined>()
    for (const [key, stored] of await store.read(options)) {
      try {
        if ('error' in stored) throw stored.error
        const { text } = stored
        const { field } = known(key)
        texts.set(key, text === undefined ? undefined : checkedText(key, field, text))
      } catch (error) {
        log.error({ err: error, option: key }, 'a stored option cannot be used; it stays as it was')
      }
    }
    values.take(texts)
  }

  function known(key: string): Registered {
    const option = registry.get(key)
    if (option === undefined) throw unknownOption(key)
    return option
  }

  /** A form shows a secret blank: sending it back blank keeps what is stored, and null takes it away. */
  function checked(
    given: Readonly<Record<string, unknown>>,
    requested: Promise<void>[] = [],
  ): readonly OptionWrite[] {
    return Object.entries(given).flatMap(([key, sent]) => {
      const option = known(key)
      const isSecret = option.field.type === 'secret'
      const text = isSecret && sent === null ? '' : checkedText(key, option.field, sent)
      for (const check of checks.get(key) ?? []) {
        const asking = check(text)
        if (asking !== undefined) requested.push(asking)
      }
      return isSecret && text === '' && sent !== null ? [] : [{ option, text }]
    })
  }

  async function put(given: Readonly<Record<string, unknown>>): Promise<void> {
    const requested: Promise<void>[] = []
    const writes = checked(given, requested)
    await Promise.all(requested)
    await store.write(writes)
    await changes.settled()
  }

  async function change(
    keys: readonly string[],
    make: Parameters<Options['change']>[1],
  ): Promise<void> {
    const locks = keys.map((key) => {
      const option = known(key)
      return { option, text: defaultText(option.field) }
    })
    await store.change(locks, (texts) => {
      const given = make(texts)
      const foreign = Object.keys(given).find((key) => !keys.includes(key))
      if (foreign !== undefined) throw new Error(`The option ${foreign} was not named before.`)
      return checked(given)
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
      await put(
        Object.fromEntries(
          keys.map((key) => [key, seeds.get(key) ?? defaultText(known(key).field)]),
        ),
      )
    },
    check(key, check) {
      checks.set(key, [...(checks.get(key) ?? []), check])
    },
    async seed(given) {
      for (const [key, text] of Object.entries(given)) seeds.set(key, text)
      await store.writeMissing(checked(given))
      await changes.settled()
    },
    async start() {
      for (const manifest of declaring(catalog)) registry.add(manifest)
      await reread(registry.all())
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

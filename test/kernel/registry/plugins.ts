/** Plugins that exist only in a test: a manifest and a `create`, found without a folder. */
import type { Manifest, PluginKind } from '../../../kernel/contract/manifest.js'
import type { Found } from '../../../kernel/registry/discovery.js'
import {
  createRegistry,
  type Registry,
  type RegistryOptions,
} from '../../../kernel/registry/registry.js'
import { FakeClock } from '../../kit/clock.js'
import { quietLog } from '../../kit/fakes.js'

export type Part = Readonly<Partial<Record<keyof Manifest, unknown>>>

/** The smallest sound manifest of an id. */
export function manifestOf(id: string, more: Part = {}): Part {
  return {
    id,
    kind: id.slice(0, id.indexOf('.')),
    engines: { waybill: '^1.0' },
    version: '1.0.0',
    title: id,
    entry: './index.js',
    ...more,
  }
}

export function found(id: string, more: Part = {}, create?: (kit: never) => unknown): Found {
  const kind = id.slice(0, id.indexOf('.')) as PluginKind
  return {
    where: `/plugins/${id}/manifest.json`,
    text: JSON.stringify(manifestOf(id, more)),
    load: async () => ({ default: create ?? plain[kind] ?? (() => ({})) }),
  }
}

/** What the smallest plugin of a kind answers. */
const plain: Readonly<Partial<Record<PluginKind, () => object>>> = {
  stage: () => ({ run: (state: unknown) => state }),
  guard: () => ({ check() {} }),
  provider: () => ({ operations: {} }),
  endpoint: () => ({ routes: {} }),
  management: () => ({ routes: {} }),
}

export function registryOf(plugins: readonly Found[], more: Partial<RegistryOptions> = {}) {
  return createRegistry({
    plugins,
    kernelServices: {},
    core: [],
    line: [],
    settingsSource: 'options',
    clock: new FakeClock(),
    log: quietLog,
    ...more,
  })
}

export const stateOf = (registry: Registry, id: string) =>
  registry.catalog.list().find(({ manifest }) => manifest.id === id)

/** A plugin that writes down what happens to it. */
export function witness(id: string, seen: string[], more: object = {}) {
  return found(id, more, () => {
    seen.push(`create ${id}`)
    return {
      start: () => void seen.push(`start ${id}`),
      stop: () => void seen.push(`stop ${id}`),
      run: () => undefined,
      identify: () => undefined,
      ready: () => false,
    }
  })
}

/** Makes the kit of one plugin: frozen, and holding what its kind may have (kernel/README.md section 4), nothing else. */
import type { Clock, Log, OutgoingKit, Settings } from '../contract/kit.js'
import type { Manifest, PluginKind } from '../contract/manifest.js'
import type { Services } from '../contract/service.js'

export interface KitDependencies {
  readonly settings: Settings
  readonly clock: Clock
  readonly log: Log
  readonly services: Readonly<Partial<Services>>
  readonly fetch: OutgoingKit['fetch']
  readonly dial: OutgoingKit['dial']
}

type Part = keyof KitDependencies

const pure: readonly Part[] = ['settings']
const outgoing: readonly Part[] = ['settings', 'clock', 'log', 'fetch', 'dial']
const whole: readonly Part[] = ['settings', 'clock', 'log', 'services']

const parts: Readonly<Record<PluginKind, readonly Part[]>> = {
  provider: pure,
  format: pure,
  operation: pure,
  task: pure,
  guard: ['settings', 'log', 'fetch'],
  payment: outgoing,
  oauth: outgoing,
  notifier: outgoing,
  stage: whole,
  service: whole,
  endpoint: whole,
  management: whole,
}

/** What such a plugin is given are values alone. */
export function isPure(kind: PluginKind): boolean {
  return parts[kind] === pure
}

/** The parts are made on demand: a provider's kit makes no child logger. */
export function makeKit(
  manifest: Manifest,
  make: { readonly [P in Part]: () => KitDependencies[P] },
): Readonly<Partial<KitDependencies>> {
  return Object.freeze(Object.fromEntries(parts[manifest.kind].map((part) => [part, make[part]()])))
}

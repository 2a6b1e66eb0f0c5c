/** How plugins fare in all processes of this address together. */
import type { Json } from '../../../kernel/contract/json.js'
import type { PluginHealth, PluginStatus } from '../../../kernel/contract/manifest.js'
import type { Catalog } from '../../../kernel/contract/services/catalog.js'
import type { Peers } from '../../../kernel/contract/services/peers.js'

type ById = Readonly<Record<string, PluginHealth>>

const topic = 'health of plugins'

/** Returns what lists them. */
export function pluginsOfAll(
  catalog: Pick<Catalog, 'list'>,
  peers: Peers,
): () => Promise<readonly PluginStatus[]> {
  peers.respond(topic, () => {
    const entries = catalog.list().flatMap(({ manifest: { id }, health }) => {
      return health === undefined ? [] : [[id, health] as const]
    })
    return Object.fromEntries(entries) as unknown as Json
  })
  return async () => {
    const replies = await peers.ask(topic)
    return catalog.list().map((status) => {
      const others = replies.flatMap(
        ({ reply }) => (reply as unknown as ById)[status.manifest.id] ?? [],
      )
      const [first, ...more] = [...(status.health === undefined ? [] : [status.health]), ...others]
      return first === undefined ? status : { ...status, health: more.reduce(together, first) }
    })
  }
}

function together(one: PluginHealth, other: PluginHealth): PluginHealth {
  const lastFault = greater(one.lastFault, other.lastFault, ({ at }) => at)
  const slowest = greater(one.slowest, other.slowest, ({ ms }) => ms)
  const setAsideUntil = greater(one.setAsideUntil, other.setAsideUntil, (at) => at)
  return {
    calls: one.calls + other.calls,
    faults: one.faults + other.faults,
    slowCalls: one.slowCalls + other.slowCalls,
    ...(lastFault !== undefined && { lastFault }),
    ...(slowest !== undefined && { slowest }),
    ...(setAsideUntil !== undefined && { setAsideUntil }),
  }
}

function greater<Kind>(
  one: Kind | undefined,
  other: Kind | undefined,
  by: (one: Kind) => number,
): Kind | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return by(other) > by(one) ? other : one
}

/** Which plugins from outside run in a thread of their own, as `PLUGINS_ISOLATED` names them. */
import type { PluginSources } from '../../contract/services/system.js'
import type { Found } from '../discovery.js'
import { isPure } from '../kit.js'
import { isKind, statedId } from '../manifest.js'

export interface Choice {
  readonly found: readonly Found[]
  /** A sentence for each name that comes to nothing. */
  readonly problems: readonly string[]
}

export function withIsolated(
  found: readonly Found[],
  isolated: PluginSources['isolated'] = [],
): Choice {
  const ids = found.map(({ text }) => statedId(text) ?? '')
  const chosen = found.map((one, at) => {
    const id = ids[at]!
    const isNamed = isolated === 'all' || isolated.includes(id)
    if (one.origin === undefined || !isNamed || !canBeIsolated(id)) return one
    return { ...one, origin: { ...one.origin, isolated: true as const } }
  })
  const names = isolated === 'all' ? [] : isolated
  return { found: chosen, problems: names.flatMap((name) => problemOf(name, ids) ?? []) }
}

function problemOf(name: string, ids: readonly string[]): string | undefined {
  if (!ids.includes(name)) {
    return `PLUGINS_ISOLATED names "${name}", and no plugin from outside has that id.`
  }
  return canBeIsolated(name) ? undefined : `PLUGINS_ISOLATED names "${name}"; ${only}`
}

/** Other kinds hold what cannot cross to a thread: a database, a connection, the record of a request. */
function canBeIsolated(id: string): boolean {
  const kind = id.slice(0, id.indexOf('.'))
  return isKind(kind) && isPure(kind)
}

const only =
  'only providers, task types, formats and operations run in a thread of their own, so it runs with the gateway.'

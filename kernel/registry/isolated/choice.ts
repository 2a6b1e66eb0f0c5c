/** Which plugins from outside run in a thread of their own, as `PLUGINS_ISOLATED` names them. */
import type { PluginKind } from '../../contract/manifest.js'
import type { PluginSources } from '../../contract/services/system.js'
import type { Found } from '../discovery.js'
import { statedId } from '../manifest.js'

/** Others hold what cannot cross to a thread: a database, a connection, the record of a request. */
const kinds: readonly PluginKind[] = ['provider', 'task', 'format', 'operation']

export interface Choice {
  readonly found: readonly Found[]
  /** A sentence for each name that comes to nothing. */
  readonly problems: readonly string[]
}

export function withIsolated(
  found: readonly Found[],
  isolated: PluginSources['isolated'] = [],
): Choice {
  const isNamed = (id: string) => isolated === 'all' || isolated.includes(id)
  const isPure = (id: string) => kinds.some((kind) => id.startsWith(`${kind}.`))
  const chosen = found.map((one) => {
    const id = statedId(one.text) ?? ''
    const { origin } = one
    if (origin === undefined || !isNamed(id) || !isPure(id)) return one
    return { ...one, origin: { ...origin, isolated: true as const } }
  })
  const ids = found.map(({ text }) => statedId(text))
  const names = isolated === 'all' ? [] : isolated
  const problems = names.flatMap((name) => {
    if (!ids.includes(name))
      return [`PLUGINS_ISOLATED names "${name}", and no plugin from outside has that id.`]
    return isPure(name) ? [] : [`PLUGINS_ISOLATED names "${name}"; ${only}`]
  })
  return { found: chosen, problems }
}

const only =
  'only providers, task types, formats and operations run in a thread of their own, so it runs with the gateway.'

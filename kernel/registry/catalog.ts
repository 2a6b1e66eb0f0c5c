/** What is known of the plugins: the list, the printed line, the channel types and the routes they serve. */
import type { Endpoint } from '../contract/endpoint.js'
import type { LoadedRoute, Management } from '../contract/management.js'
import type { Catalog } from '../contract/services/catalog.js'
import { nameOf } from '../toolkit/service/manifest-names.js'
import type { Plugin } from './plugin.js'

interface CatalogDependencies extends Pick<Catalog, 'onChange'> {
  /** Names of the stages in order. */
  readonly line: readonly string[]
  readonly problems?: readonly string[]
}

export function createCatalog(
  plugins: readonly Plugin[],
  { line, problems = [], onChange }: CatalogDependencies,
): Catalog {
  function guardsAt(stage: string, where: 'before' | 'after'): readonly string[] {
    return plugins
      .filter(({ state, manifest: { guards } }) => {
        return !isOut(state) && guards?.stage === stage && guards.where === where
      })
      .map(({ manifest }) => nameOf(manifest))
  }

  return {
    list: () => plugins.map((plugin) => plugin.status()),
    problems: () => problems,
    line: () =>
      line.map((stage) => ({
        stage,
        before: guardsAt(stage, 'before'),
        after: guardsAt(stage, 'after'),
      })),
    channelTypes: () =>
      plugins
        .filter(({ state }) => !isOut(state))
        .flatMap(({ manifest }) =>
          manifest.channelTypes.map((type) => ({
            ...type,
            plugin: manifest.id,
            fields: manifest.channelSettings,
          })),
        )
        .sort((a, b) => a.id - b.id),
    routes: () => plugins.flatMap(routesOf),
    onChange,
  }
}

/** Of no use for now. */
function isOut(state: Plugin['state']): boolean {
  return state === 'failed' || state === 'off'
}

function routesOf(plugin: Plugin): readonly LoadedRoute[] {
  const { manifest } = plugin
  const { kind, routes } = manifest
  const created = plugin.created()
  if (created === undefined || (kind !== 'management' && kind !== 'endpoint')) return []
  return routes.map((declared) =>
    kind === 'management'
      ? { manifest, declared, management: (created as Management).routes[declared.name] }
      : { manifest, declared, endpoint: (created as Endpoint).routes[declared.name] },
  )
}

/** What is known of the plugins without running them: the list, the printed line and the channel types. */
import type { Catalog } from '../contract/service.js'
import { nameOf } from './manifest.js'
import type { Plugin } from './plugin.js'

export function createCatalog(plugins: readonly Plugin[], line: readonly string[]): Catalog {
  function guardsAt(stage: string, where: 'before' | 'after'): readonly string[] {
    return plugins
      .filter(({ state, manifest: { guards } }) => {
        return state !== 'failed' && guards?.stage === stage && guards.where === where
      })
      .map(({ manifest }) => nameOf(manifest))
  }

  return {
    list: () => plugins.map((plugin) => plugin.status()),
    line: () =>
      line.map((stage) => ({
        stage,
        before: guardsAt(stage, 'before'),
        after: guardsAt(stage, 'after'),
      })),
    channelTypes: () =>
      plugins
        .filter(({ state }) => state !== 'failed')
        .flatMap(({ manifest }) =>
          manifest.channelTypes.map((type) => ({
            ...type,
            plugin: manifest.id,
            fields: manifest.channelSettings,
          })),
        )
        .sort((a, b) => a.id - b.id),
  }
}

/**
 * Whether addresses admins name may be private: as the environment states, or else as the option does, whichever plugin
 * declares it. Before options are read, and where none is declared, they may not.
 */
import type { Settings } from '../contract/kit.js'
import type { Manifest } from '../contract/manifest.js'
import type { Catalog } from '../contract/services/catalog.js'
import type { Environment } from '../contract/services/system.js'

const option = 'PrivateUpstreamsEnabled'

export interface PrivateUpstreams {
  allowed(): boolean
  /** To be called once plugins are made. */
  follow(catalog: Pick<Catalog, 'list'>, options: OptionReader): void
}

/** What is needed of the service that keeps options. */
interface OptionReader {
  of(manifest: Manifest): Pick<Settings, 'boolean'>
}

export function privateUpstreams({
  allowPrivateUpstreams,
}: Pick<Environment, 'allowPrivateUpstreams'>): PrivateUpstreams {
  let read = () => false
  return {
    allowed: () => allowPrivateUpstreams ?? read(),
    follow(catalog, options) {
      for (const { manifest, state } of catalog.list()) {
        const field = manifest.settings.find((one) => one.option === option)
        if (field === undefined || state === 'failed') continue
        const settings = options.of(manifest)
        read = () => settings.boolean(field.name)
      }
    },
  }
}

/** What a rate card may count, and depend on: as the task types state it whose channels serve the model. */
import type { Translations } from '../../../kernel/contract/manifest.js'
import type { Catalog } from '../../../kernel/contract/services/catalog.js'
import { taskTypesIn } from '../../../kernel/toolkit/management/index.js'
import type { ModelRegistry } from '../../services/model-registry/index.js'

export interface UnitsOfType {
  readonly plugin: string
  readonly title: string
  readonly units: readonly string[]
  readonly dimensions: readonly string[]
  readonly translations: Translations
}

export interface UnitsFound {
  readonly serves: boolean
  readonly task_types: readonly UnitsOfType[]
}

export interface UnitsDependencies {
  readonly registry: Pick<ModelRegistry, 'served'>
  readonly catalog: Pick<Catalog, 'list' | 'channelTypes'>
}

export function unitsFor(model: string, { registry, catalog }: UnitsDependencies): UnitsFound {
  const all = taskTypesIn(catalog)
  const channels = registry.served().get(model)?.channels ?? []
  const serving = all.filter(({ channelTypes }) =>
    channels.some(({ type }) => channelTypes.has(type)),
  )
  const shown = serving.length > 0 ? serving : all
  return {
    serves: serving.length > 0,
    task_types: shown.map(({ manifest }) => {
      const { id, title, units = [], dimensions = [], translations = {} } = manifest
      return { plugin: id, title, units, dimensions, translations }
    }),
  }
}

/** Which plugins the table shows. */
import type { PluginStatus } from '../../../api/plugins.js'
import type { FilterField } from '../../../ui/list/filters/filter-field.js'
import type { PluginFilters } from '../use-plugins.js'

export function pluginFilters(
  t: (key: string) => string,
  plugins: readonly PluginStatus[],
): readonly FilterField<PluginFilters>[] {
  /** What there is, each with how often. */
  function counted(wordOf: (plugin: PluginStatus) => string, texts: string) {
    const words = plugins.map(wordOf)
    return [...new Set(words)].map((value) => {
      const count = words.filter((word) => word === value).length
      return { value, label: `${t(`${texts}.${value}`)} (${count})` }
    })
  }

  return [
    { kind: 'text', name: 'q', label: t('plugins.searchFor'), wide: true },
    {
      ...{ kind: 'select', name: 'kind', label: t('plugins.columns.kind') },
      any: t('plugins.anyKind'),
      options: counted(({ manifest }) => manifest.kind, 'plugins.kinds'),
    },
    {
      ...{ kind: 'select', name: 'state', label: t('plugins.columns.state') },
      any: t('plugins.anyState'),
      options: counted(({ state }) => state, 'plugins.states'),
    },
  ]
}

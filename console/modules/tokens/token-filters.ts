/** Finds keys by name, by the key itself or its last four characters, and by state. */
import { type TokenFilters, tokenStates } from '../../api/tokens.js'
import type { FilterField } from '../../ui/list/filters/filter-field.js'

export function tokenFilters(t: (key: string) => string): readonly FilterField<TokenFilters>[] {
  return [
    { kind: 'text', name: 'keyword', label: t('tokens.byName'), wide: true },
    { kind: 'text', name: 'token', label: t('tokens.byKey'), wide: true },
    {
      ...{ kind: 'select', name: 'status', label: t('tokens.state'), any: t('tokens.anyState') },
      options: Object.entries(tokenStates).map(([name, value]) => ({
        label: t(`tokens.states.${name}`),
        value,
      })),
    },
  ]
}

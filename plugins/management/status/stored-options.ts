/** Options of any plugin as they are in force, for those that pass them on. A key nobody has declared is off and empty. */
import type { Json } from '../../../kernel/contract/json.js'
import type { Options } from '../../services/options/index.js'

export interface StoredOptions {
  text(key: string): string
  flag(key: string): boolean
  number(key: string, absent: number): number
  list(key: string): readonly Json[]
}

export function storedOptions(options: Options): StoredOptions {
  const values = new Map<string, string>()
  for (const { key, value, field } of options.list()) {
    if (field.type !== 'secret') values.set(key, value)
  }
  return {
    text: (key) => values.get(key) ?? '',
    flag: (key) => values.get(key) === 'true',
    number: (key, absent) => Number(values.get(key) ?? absent),
    list: (key) => JSON.parse(values.get(key) ?? '[]'),
  }
}

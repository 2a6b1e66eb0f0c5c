/** Which options there are: every field of every manifest, under the family's key where it names one. */
import type { Manifest, SettingField } from '../../../kernel/contract/manifest.js'

export interface Registered {
  readonly key: string
  readonly field: SettingField
  /** Id of the plugin that declared it. */
  readonly plugin: string
}

export class OptionRegistry {
  private readonly byKey = new Map<string, Registered>()

  /** Safe to repeat. A key belongs to whoever declared it first. */
  add(manifest: Manifest): void {
    for (const field of manifest.settings) {
      const key = keyOf(manifest, field)
      if (!this.byKey.has(key)) this.byKey.set(key, { key, field, plugin: manifest.id })
    }
  }

  get(key: string): Registered | undefined {
    return this.byKey.get(key)
  }

  /** In order of key. */
  all(): readonly Registered[] {
    return [...this.byKey.values()].sort((left, right) => (left.key < right.key ? -1 : 1))
  }
}

export function keyOf({ id }: Manifest, { name, option }: SettingField): string {
  return option ?? `${id}.${name}`
}

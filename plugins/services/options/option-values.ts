/** The stored values in memory, and listeners for their changes. */
import type { Json } from '../../../kernel/contract/json.js'
import type { SettingField } from '../../../kernel/contract/manifest.js'
import { typedValue } from './option-value.js'

export class OptionValues {
  private readonly stored = new Map<string, StoredValue>()
  private readonly listeners: Listener[] = []

  /** The stored text; undefined: the default stands. */
  text(key: string): string | undefined {
    return this.stored.get(key)?.text
  }

  /** The typed value, parsed on first use; undefined: the default stands. */
  value(key: string, type: SettingField['type']): Json | undefined {
    const found = this.stored.get(key)
    if (found === undefined) return undefined
    if (found.value === undefined) found.value = typedValue(type, found.text)
    return found.value
  }

  /** Takes over what the table holds now; absent: removed. Listeners of changed keys run once, after all are in place. */
  take(texts: ReadonlyMap<string, string | undefined>): void {
    const changed = [...texts].filter(([key, text]) => this.text(key) !== text)
    for (const [key, text] of changed) {
      if (text === undefined) this.stored.delete(key)
      else this.stored.set(key, { text })
    }
    const keys = new Set(changed.map(([key]) => key))
    for (const { watches, run } of this.listeners) {
      if (watches.some((key) => keys.has(key))) run()
    }
  }

  /** `run` must not throw. */
  listen(watches: readonly string[], run: () => void): void {
    this.listeners.push({ watches, run })
  }
}

interface StoredValue {
  readonly text: string
  value?: Json
}

interface Listener {
  readonly watches: readonly string[]
  readonly run: () => void
}

/**
 * What others see of the options: every registered key, its value and its rules. Keys come from the `settings` of
 * the manifests; a plugin that knows better than the declared type adds a check of its own (API-4).
 */
import type { Settings } from '../../../kernel/contract/kit.js'
import type { Manifest, SettingField } from '../../../kernel/contract/manifest.js'

export interface Options {
  /** A live view over one plugin's fields. */
  of(manifest: Manifest): Settings
  /** Registered options in order of key, secrets blank. Values in their stored text. */
  list(): readonly Option[]
  /**
   * Checks and stores one or more values in one transaction; a `Refusal` names the key at fault, nothing is saved. A
   * blank secret keeps the one that is stored, and null takes it away.
   */
  put(values: Readonly<Record<string, unknown>>): Promise<void>
  /**
   * Changes values by what is stored now: nobody writes these options between reading and writing. `make` gets their
   * texts by key and answers what is to be put; an option it leaves out stays as it is. It runs inside the transaction,
   * so it awaits nothing; what it throws ends the change, and nothing is saved.
   */
  change(
    keys: readonly string[],
    make: (texts: Readonly<Record<string, string>>) => Readonly<Record<string, unknown>>,
  ): Promise<void>
  /**
   * Runs before a value is stored; throws a `Refusal` that names the fault. Gets the raw text as the admin sent it. One
   * that queries the database is waited for by `put`; `change` and `seed` do not wait, so they are not for such keys.
   */
  check(key: string, check: (text: string) => void | Promise<void>): void
  /** Stores values only where nothing is stored yet: defaults written at first start. */
  seed(values: Readonly<Record<string, string>>): Promise<void>
  /** Stores again what was seeded, or the declared default, in one transaction. */
  reset(keys: readonly string[]): Promise<void>
}

export interface Option {
  readonly key: string
  readonly value: string
  /** Something is stored and it is not empty: all that is shown of a secret. */
  readonly isSet: boolean
  readonly field: SettingField
  readonly plugin: string
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    options: Options
  }
}

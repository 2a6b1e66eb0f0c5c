/** What is checked before options are stored: the type a manifest declares, and what plugins demand of their own. */
import type { OptionRegistry, Registered } from './option-registry.js'
import type { OptionWrite } from './option-store.js'
import { checkedText, unknownOption } from './option-value.js'

/** Throws or rejects with a `Refusal` where the text may not be stored. */
type OptionCheck = (text: string) => void | Promise<void>

export class OptionChecks {
  private readonly checks = new Map<string, OptionCheck[]>()

  constructor(private readonly registry: OptionRegistry) {}

  add(key: string, check: OptionCheck): void {
    this.checks.set(key, [...(this.checks.get(key) ?? []), check])
  }

  /** Throws a `Refusal` where no plugin declares the key. */
  known(key: string): Registered {
    const option = this.registry.get(key)
    if (option === undefined) throw unknownOption(key)
    return option
  }

  /**
   * What is to be written of what was given. A form shows a secret blank: sending it back blank keeps what is stored, and
   * null takes it away.
   * @param pending takes the checks that are still under way
   */
  checked(
    given: Readonly<Record<string, unknown>>,
    pending: Promise<void>[] = [],
  ): readonly OptionWrite[] {
    return Object.entries(given).flatMap(([key, sent]) => {
      const option = this.known(key)
      const isSecret = option.field.type === 'secret'
      const text = isSecret && sent === null ? '' : checkedText(key, option.field, sent)
      for (const check of this.checks.get(key) ?? []) {
        const result = check(text)
        if (result !== undefined) pending.push(result)
      }
      return isSecret && text === '' && sent !== null ? [] : [{ option, text }]
    })
  }
}

/** Reads stored options into memory. What cannot be used is logged, and the value in memory stays. */
import type { Log } from '../../../kernel/contract/kit.js'
import type { Registered } from './option-registry.js'
import type { OptionStore } from './option-store.js'
import { checkedText } from './option-value.js'
import type { OptionValues } from './option-values.js'

export interface ReaderDependencies {
  readonly store: Pick<OptionStore, 'read'>
  readonly values: OptionValues
  readonly log: Log
}

/** Reads one set after the other, so that an older result never replaces a newer one. */
export function optionReader({ store, values, log }: ReaderDependencies) {
  let reading: Promise<void> = Promise.resolve()

  async function takeOver(options: readonly Registered[]): Promise<void> {
    const fields = new Map(options.map(({ key, field }) => [key, field]))
    const texts = new Map<string, string | undefined>()
    for (const [key, stored] of await store.read(options)) {
      try {
        if ('error' in stored) throw stored.error
        const { text } = stored
        texts.set(key, text === undefined ? undefined : checkedText(key, fields.get(key)!, text))
      } catch (error) {
        log.error({ err: error, option: key }, 'a stored option cannot be used; it stays as it was')
      }
    }
    values.take(texts)
  }

  return (options: readonly Registered[]): Promise<void> => {
    const turn = reading.then(() => takeOver(options))
    reading = turn.catch(() => {})
    return turn
  }
}

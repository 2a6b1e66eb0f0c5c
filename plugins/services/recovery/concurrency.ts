/** Works through a list, a few at once, with a pause after each. */
import type { Clock } from '../../../kernel/contract/kit.js'

export interface ConcurrencyOptions {
  readonly concurrency: number
  readonly pauseMs: number
  readonly clock: Clock
  /** Once it resolves nothing new is begun. */
  readonly stopping: Promise<unknown>
  stopped(): boolean
}

export async function withConcurrency<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  { concurrency, pauseMs, clock, stopping, stopped }: ConcurrencyOptions,
): Promise<void> {
  const left = items.values()
  const pause = () => new Promise<void>((resolve) => void clock.after(pauseMs, resolve))

  async function worker(): Promise<void> {
    for (const item of left) {
      if (stopped()) return
      await work(item)
      await Promise.race([pause(), stopping])
    }
  }

  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker))
}

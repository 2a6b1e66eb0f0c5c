/**
 * Work over many channels in the background: a few at once, one run at a time, and a channel that fails holds up none of
 * the others. What is under way when the gateway stops is not followed by more.
 */
import type { Clock, Log } from '../../../kernel/contract/kit.js'
import { Refusal } from '../../../kernel/errors.js'

export interface Run<Item> {
  /** Answers before the work is done. `false` from `work`, or an error, is a failure. Throws `conflict` while one runs. */
  start(items: readonly Item[], work: (item: Item) => Promise<boolean>): Progress
  progress(): Progress
  /** Starts nothing more; resolves when what is under way has ended, or soon. */
  stop(): Promise<void>
}

/** In the family's spelling. */
export interface Progress {
  readonly total: number
  /** Finished, the failed ones included. */
  readonly done: number
  readonly failed: number
  readonly running: boolean
  /** Unix seconds; 0: none has run since the gateway started. */
  readonly started_at: number
}

export interface RunTerms {
  /** Names the run, for the log and for who is refused. */
  readonly name: string
  readonly clock: Clock
  readonly log: Log
  /** Hears how far it has come, now and then, and of its end. */
  readonly told?: (progress: Progress) => void
}

/** How often at most. */
const toldMs = 250
const atOnce = 4
/** A test may take a minute; stopping does not. */
const stopMs = 2000

export function createRun<Item>({ name, clock, log, told }: RunTerms): Run<Item> {
  let progress: Progress = { total: 0, done: 0, failed: 0, running: false, started_at: 0 }
  let stopped = false
  let under = Promise.resolve()
  let toldAt = Number.NEGATIVE_INFINITY

  function start(items: readonly Item[], work: (item: Item) => Promise<boolean>): Progress {
    if (progress.running) throw new Refusal('conflict', { reason: `A run is under way: ${name}.` })
    const started_at = Math.floor(clock.now() / 1000)
    const running = items.length > 0
    progress = { total: items.length, done: 0, failed: 0, running, started_at }
    const waiting = items.values()
    const workers = Array.from({ length: Math.min(atOnce, items.length) }, () =>
      through(waiting, work),
    )
    under = Promise.all(workers).then(() => {
      progress = { ...progress, running: false }
      told?.(progress)
    })
    tell()
    return progress
  }

  /** All workers draw from one row of items. */
  async function through(
    waiting: Iterable<Item>,
    work: (item: Item) => Promise<boolean>,
  ): Promise<void> {
    for (const item of waiting) {
      if (stopped) return
      const isFine = await settled(item, work)
      const failed = progress.failed + (isFine ? 0 : 1)
      progress = { ...progress, done: progress.done + 1, failed }
      tell()
    }
  }

  function tell(): void {
    const now = clock.monotonic()
    if (now - toldAt < toldMs) return
    toldAt = now
    told?.(progress)
  }

  async function settled(item: Item, work: (item: Item) => Promise<boolean>): Promise<boolean> {
    try {
      return await work(item)
    } catch (error) {
      // What was refused in a sentence is nothing the gateway did wrong.
      if (error instanceof Refusal) return false
      log.error({ err: error, run: name }, 'a channel of a background run failed')
      return false
    }
  }

  return {
    start,
    progress: () => progress,
    stop() {
      stopped = true
      return new Promise((resolve) => {
        const forget = clock.after(stopMs, resolve)
        void under.then(() => {
          forget()
          resolve()
        })
      })
    },
  }
}

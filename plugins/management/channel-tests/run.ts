/**
 * Work over many channels in the background: a few at once, one run at a time, and a channel that fails holds up none of
 * the others. What is under way when the gateway stops is not followed by more.
 */
import type { Json } from '../../../kernel/contract/json.js'
import type { Clock, Log } from '../../../kernel/contract/kit.js'
import type { PeerReply, Peers } from '../../../kernel/contract/services/peers.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'

export interface Run<Item extends Named> {
  /** Resolves before the work is done. Rejects with `conflict` while one runs, here or in another process of this address. */
  start(items: readonly Item[], work: Work<Item>): Promise<Progress>
  /** Of the one that began last, in whichever process of this address it runs. */
  progress(): Promise<Progress>
  /** Starts nothing more; resolves when what is under way has ended, or soon. */
  stop(): Promise<void>
}

export interface Named {
  readonly id: number
  readonly name: string
}

/** Answers why it failed; undefined: it went well. An error is a failure too. */
export type Work<Item> = (item: Item) => Promise<string | undefined>

export interface Failed extends Named {
  readonly message: string
}

/** In the family's spelling. */
export interface Progress {
  readonly total: number
  /** Finished, the failed ones included. */
  readonly done: number
  readonly failed: number
  /** The first of those that failed, each with its reason. */
  readonly failures: readonly Failed[]
  readonly running: boolean
  /** Unix seconds; 0: none has run since the gateway started. */
  readonly started_at: number
}

export interface RunDependencies {
  /** Names the run, for the log and for who is refused. */
  readonly name: string
  readonly clock: Clock
  readonly log: Log
  readonly peers: Peers
  /** Hears how far it has come, now and then, and of its end. */
  readonly onProgress?: (progress: Counts) => void
}

/** What a process replies to the others. */
interface Standing {
  readonly progress: Progress
  readonly isClaimed: boolean
}

type Elsewhere = Standing & Pick<PeerReply, 'from'>

/** Without the reasons, which would be repeated again and again. */
export type Counts = Omit<Progress, 'failures'>

/** How often at most. */
const progressMs = 250
const atOnce = 4
const failuresMax = 100
const messageMax = 300
const none = { total: 0, done: 0, failed: 0, failures: [] }
/** A test may take a minute; stopping does not. */
const stopMs = 2000

export function createRun<Item extends Named>({
  name,
  clock,
  log,
  peers,
  onProgress,
}: RunDependencies): Run<Item> {
  let progress: Progress = { ...none, running: false, started_at: 0 }
  /** Somebody waits here for a run to begin. */
  let isClaimed = false
  let stopped = false
  let under = Promise.resolve()
  let toldAt = Number.NEGATIVE_INFINITY

  peers.respond(name, () => ({ progress, isClaimed }) as unknown as Json)

  async function elsewhere(): Promise<readonly Elsewhere[]> {
    const replies = await peers.ask(name)
    return replies.map(({ from, reply }) => Object.assign({ from }, reply as unknown as Standing))
  }

  async function latest(): Promise<Progress> {
    const all = (await elsewhere()).map((one) => one.progress)
    return all.reduce((one, other) => (isLater(other, one) ? other : one), progress)
  }

  /**
   * Each process claims before it asks, so of two that begin at once one at least sees the other: the one with the higher
   * number gives way, and the other looks again until that is decided.
   */
  async function mayBegin(): Promise<boolean> {
    for (;;) {
      const others = await elsewhere()
      if (others.some((one) => one.progress.running)) return false
      const claims = others.filter((one) => one.isClaimed)
      if (claims.length === 0) return true
      if (claims.some(({ from }) => from < peers.number)) return false
    }
  }

  async function start(items: readonly Item[], work: Work<Item>): Promise<Progress> {
    const refusal = new Refusal('conflict', { reason: `A run is under way: ${name}.` })
    if (isClaimed || progress.running) throw refusal
    isClaimed = true
    try {
      if (!(await mayBegin())) throw refusal
      return begin(items, work)
    } finally {
      isClaimed = false
    }
  }

  function begin(items: readonly Item[], work: Work<Item>): Progress {
    const started_at = Math.floor(clock.now() / 1000)
    const running = items.length > 0
    progress = { ...none, total: items.length, running, started_at }
    const waiting = items.values()
    const workers = Array.from({ length: Math.min(atOnce, items.length) }, () =>
      through(waiting, work),
    )
    under = Promise.all(workers).then(() => {
      progress = { ...progress, running: false }
      onProgress?.(countsOf(progress))
    })
    tell()
    return progress
  }

  /** All workers draw from one row of items. */
  async function through(waiting: Iterable<Item>, work: Work<Item>): Promise<void> {
    for (const item of waiting) {
      if (stopped) return
      const fault = await settled(item, work)
      progress = { ...progress, done: progress.done + 1, ...failedToo(progress, item, fault) }
      tell()
    }
  }

  function tell(): void {
    const now = clock.monotonic()
    if (now - toldAt < progressMs) return
    toldAt = now
    onProgress?.(countsOf(progress))
  }

  async function settled(item: Item, work: Work<Item>): Promise<string | undefined> {
    try {
      return await work(item)
    } catch (error) {
      // What was refused in a sentence is nothing the gateway did wrong.
      if (error instanceof Refusal) return error.message
      log.error({ err: error, run: name }, 'a channel of a background run failed')
      return new Refusal('internal_error').message
    }
  }

  return {
    start,
    progress: latest,
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

/** One that runs goes before all that are over. */
function isLater(one: Progress, other: Progress): boolean {
  if (one.running !== other.running) return one.running
  return one.started_at > other.started_at
}

function failedToo({ failed, failures }: Progress, { id, name }: Named, fault?: string) {
  if (fault === undefined) return {}
  const message = [...fault].slice(0, messageMax).join('')
  const room = failures.length < failuresMax
  return { failed: failed + 1, failures: room ? [...failures, { id, name, message }] : failures }
}

function countsOf({ failures: _failures, ...counts }: Progress): Counts {
  return counts
}

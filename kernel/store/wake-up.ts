/** One connection that listens to a channel, made anew whenever it is lost. */
import type pg from 'pg'
import type { Clock, Log } from '../contract/kit.js'

export interface WakeUpOptions {
  /** Makes a connection that is not connected yet. */
  connection(): pg.Client
  readonly channel: string
  /** Called for each notification, and after a loss, since some may have been missed. */
  wake(): void
  readonly clock: Clock
  readonly log: Log
}

export interface WakeUp {
  close(): Promise<void>
}

const firstRetryMs = 1000
const longestRetryMs = 15_000

/** Resolves after the first attempt, whether it listens by then or not. */
export async function openWakeUp(options: WakeUpOptions): Promise<WakeUp> {
  let client: pg.Client | undefined
  let retryMs = firstRetryMs
  let cancelRetry: () => void = () => undefined
  let closed = false

  async function listen(): Promise<void> {
    const fresh = options.connection()
    client = fresh
    fresh.on('notification', () => options.wake())
    fresh.on('error', (error) => lost(fresh, error))
    fresh.on('end', () => lost(fresh))
    try {
      await fresh.connect()
      await fresh.query(`LISTEN ${options.channel}`)
      retryMs = firstRetryMs
    } catch (error) {
      lost(fresh, error)
    }
  }

  function lost(which: pg.Client, error?: unknown): void {
    if (closed || client !== which) return
    client = undefined
    options.log.warn({ err: error }, 'connection that listens for changes lost')
    which.end().catch(() => undefined)
    cancelRetry = options.clock.after(retryMs, async () => {
      await listen()
      options.wake()
    })
    retryMs = Math.min(retryMs * 2, longestRetryMs)
  }

  await listen()
  return {
    close: async () => {
      closed = true
      cancelRetry()
      await client?.end().catch(() => undefined)
    },
  }
}

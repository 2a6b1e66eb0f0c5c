/**
 * Waits for the end of a task: what ends it in this process wakes at once, and what another process did is seen by looking at the
 * row, seldom once it has gone on for long.
 */
import type { Knex } from 'knex'
import type { Clock } from '../../../kernel/contract/kit.js'
import { isUnavailable } from '../../../kernel/toolkit/service/index.js'
import { type TaskRow, tasksOf } from './rows.js'

export interface WaitingDependencies {
  readonly knex: Knex
  readonly clock: Clock
}

export interface Waiting {
  /** Undefined: the signal came first. */
  ended(taskId: string, signal: AbortSignal): Promise<TaskRow | undefined>
  /** To be called where a task ended. */
  wake(taskId: string): void
}

const firstMs = 1_000
const longestMs = 8_000

export function createWaiting({ knex, clock }: WaitingDependencies): Waiting {
  const waiters = new Map<string, Set<() => void>>()

  async function endOf(taskId: string): Promise<TaskRow | undefined> {
    try {
      return await tasksOf(knex)
        .where({ task_id: taskId, billing: 'final' } as never)
        .first<TaskRow | undefined>()
    } catch (error) {
      // The task goes on all the same; it is looked at again.
      if (isUnavailable(error)) return undefined
      throw error
    }
  }

  /** Until it is woken, the time has run out, or the signal comes. */
  function pause(taskId: string, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const woken = waiters.get(taskId) ?? new Set()
      waiters.set(taskId, woken)
      const done = () => {
        cancel()
        woken.delete(done)
        if (woken.size === 0) waiters.delete(taskId)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const cancel = clock.after(ms, done)
      woken.add(done)
      signal.addEventListener('abort', done)
    })
  }

  return {
    async ended(taskId, signal) {
      for (let ms = firstMs; !signal.aborted; ms = Math.min(ms * 2, longestMs)) {
        const row = await endOf(taskId)
        if (row !== undefined) return row
        if (!signal.aborted) await pause(taskId, ms, signal)
      }
      return endOf(taskId)
    },
    wake(taskId) {
      for (const done of [...(waiters.get(taskId) ?? [])]) done()
    },
  }
}

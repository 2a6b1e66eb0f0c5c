/** A database that fails when reported, and patience without sleeping. */
import type { Database } from '../../../../kernel/contract/services/database.js'

/** An error: every call fails with it, as long as it stands. */
type Failing = 'no' | 'refused' | 'lostBefore' | 'lostAfter' | Error

export interface Faulty {
  failing: Failing
  /** Billing calls that failed. */
  failures: number
  wrap(database: Database): Database
}

export function faulty(): Faulty {
  const state: Faulty = {
    failing: 'no',
    failures: 0,
    wrap: (database) => ({
      ...database,
      async billing(statement) {
        const { failing } = state
        if (failing === 'no') return database.billing(statement)
        state.failures += 1
        if (failing instanceof Error) throw failing
        if (failing === 'refused') throw coded('connect ECONNREFUSED', 'ECONNREFUSED')
        if (failing === 'lostAfter') await database.billing(statement)
        throw coded('read ECONNRESET', 'ECONNRESET')
      },
    }),
  }
  return state
}

export function coded(message: string, code: string): Error {
  return Object.assign(new Error(message), { code })
}

/** Lets the event loop turn until `true`; a test that waits in vain fails. */
export async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 100_000; turn++) {
    if (holds()) return
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new Error('waited in vain')
}

/** Rows of failed requests, bounded for each caller and minute: a loop that fails all day must not fill the disk. */
import type { FailedRequest } from '../../../kernel/contract/services/traffic.js'
import type { ErrorRow } from './error-row.js'

/** Rows of one caller and minute. */
const shareMax = 30

/** One caller within a minute: an API key, or a user at the Playground. */
interface Share {
  rows: number
  /** Errors beyond the rows; the newest of them stands for all. */
  beyond: number
  newest?: ErrorRow
}

export class CallerShares {
  private readonly shares = new Map<string, Share>()

  /** True: the row is written. False: the caller had too many, and the newest stands for the rest at the end. */
  admit(failed: FailedRequest, row: ErrorRow): boolean {
    const share = this.of(failed)
    if (share.rows === shareMax) {
      share.beyond += 1
      share.newest = row
      return false
    }
    share.rows += 1
    return true
  }

  /** The minute is over: one row for each caller who had too many. */
  end(): readonly ErrorRow[] {
    const rows = [...this.shares.values()].flatMap(({ beyond, newest }) => {
      if (newest === undefined) return []
      return [beyond === 1 ? newest : standsFor(newest, beyond)]
    })
    this.shares.clear()
    return rows
  }

  private of({ state: { token, user } }: FailedRequest): Share {
    const caller = token === undefined ? `user ${user.id}` : `key ${token.id}`
    const known = this.shares.get(caller)
    if (known !== undefined) return known
    const share: Share = { rows: 0, beyond: 0 }
    this.shares.set(caller, share)
    return share
  }
}

function standsFor(row: ErrorRow, errors: number): ErrorRow {
  return { ...row, detail: { ...row.detail, further_errors: errors - 1 } }
}

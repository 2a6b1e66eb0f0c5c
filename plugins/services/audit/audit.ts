/** What others see of the audit log: who did what, in rows that are added and never touched again. */
import type { AuditEntry, Auditor } from '../../../kernel/contract/services/ports.js'

export interface Audit extends Auditor {
  /** Hears of every entry once it is recorded. What it fails at is logged, and is no fault of the entry. */
  watch(watcher: (entry: AuditEntry) => Promise<void>): void
  /** Hears at once of every sign-in or proof that failed, each by itself; it neither waits nor throws. */
  watchRefused(watcher: (entry: AuditEntry) => void): void
  /** Newest first. */
  page(query: AuditQuery): Promise<AuditPage>
  /** Walks the chain of one UTC day, as `2026-01-31`, and names the first row that does not hold. */
  verify(day: string): Promise<DayVerdict>
}

export interface AuditQuery {
  readonly page: number
  readonly pageSize: number
  /** Number or name of who acted. */
  readonly actor?: string
  /** What the action begins with, as `users.`. */
  readonly action?: string
  readonly object?: string
  readonly requestId?: string
  /** What was done to this channel, alone or among others. */
  readonly channelId?: number
  /** Unix seconds; both ends count. */
  readonly from?: number
  readonly to?: number
  /** Only rows of actors below this role, and those of the one named. Absent: everybody's. */
  readonly visibleTo?: { readonly userId: number; readonly below: number }
}

export interface AuditPage {
  readonly items: readonly AuditRow[]
  /** Counted up to 10,000. */
  readonly total: number
}

/** A line of the log without its place in the chain. */
export interface AuditLine {
  readonly createdAt: Date
  readonly actorId: number
  readonly actorName: string
  readonly actorRole: number
  /** `session`, `accessToken`, or `none` where nobody was signed in before. */
  readonly via: string
  readonly address: string
  readonly action: string
  readonly object: string
  /** What the object was called; absent: unknown, as in rows of older versions. */
  readonly objectName?: string
  readonly detail: string
  readonly beforeHash: Buffer | null
  readonly afterHash: Buffer | null
  readonly requestId: string
}

export interface AuditRow extends AuditLine {
  readonly id: number
  readonly previousHash: Buffer | null
  readonly hash: Buffer
}

export interface DayVerdict {
  readonly day: string
  /** Rows that hold. */
  readonly rows: number
  /** Heads of the day that this machine kept outside the database. */
  readonly heads: number
  /** Hash of the last row that holds; kept elsewhere, it shows later that nothing was cut off behind it. */
  readonly head: Buffer | null
  /**
   * `link`: the row before it is another one. `content`: the row is not what was written. `missing`: its hash was kept
   * outside the database, and the row is not there or is another one.
   */
  readonly broken?: { readonly id: number; readonly fault: 'link' | 'content' | 'missing' }
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    audit: Audit
  }
}

/** What others see of notices: written with what they tell of, delivered from an outbox once that is committed (API-9). */
import type { Knex } from 'knex'
import type { Notice } from '../../../kernel/contract/notifier.js'

export interface Notifications {
  /** A mail to an address that need not be a user's. Rejects with `mail_unavailable` where no mail server is set. */
  mail(address: string, notice: NewNotice, trx?: Knex.Transaction): Promise<void>
  /** A notice to a user, by the way they chose. A `key` that was told before is not told again. */
  notify(userId: number, notice: NewNotice, key?: string, trx?: Knex.Transaction): Promise<void>
  /** The same to root. */
  notifyRoot(notice: NewNotice, key?: string, trx?: Knex.Transaction): Promise<void>
  /** Whether mail can be sent at all. */
  mailReady(): boolean
}

/** The time is when it was written. */
export type NewNotice = Omit<Notice, 'timestamp'>

declare module '../../../kernel/contract/service.js' {
  interface Services {
    notifications: Notifications
  }
}

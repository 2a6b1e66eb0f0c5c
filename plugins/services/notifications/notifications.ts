/** What others see of notices: written in the transaction of their event, delivered from an outbox once that is committed (API-9). */
import type { Knex } from 'knex'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { SettingField, Translations } from '../../../kernel/contract/manifest.js'
import type { Notice, NoticeOutcome } from '../../../kernel/contract/notifier.js'

export interface Notifications {
  /** A mail to an address that need not be a user's. Rejects with `mail_unavailable` where no mail server is set. */
  mail(address: string, notice: NewNotice, trx?: Knex.Transaction): Promise<void>
  /** A notice to a user, by the way they chose. A `key` that was sent before is not sent again. */
  notify(userId: number, notice: NewNotice, key?: string, trx?: Knex.Transaction): Promise<void>
  /** The same to root. */
  notifyRoot(notice: NewNotice, key?: string, trx?: Knex.Transaction): Promise<void>
  /**
   * A report to an address the user named for it: a POST, signed with the secret of their webhooks and delivered like a notice. One
   * of a `key` that was sent before is not sent again.
   */
  report(userId: number, report: NewReport, trx: Knex.Transaction): Promise<void>
  /** Who writes reports, each time one is sent. */
  reporter(write: WriteReport): void
  /** Whether mail can be sent at all. */
  mailReady(): boolean
  /** The ways a user may choose among, and the fields each requires. */
  ways(): Promise<readonly Way[]>
  /** What a user set, defaults filled in and secrets blank (AUTH-10). */
  settingOf(userId: number): Promise<UserSetting>
  /**
   * Changes the members given, the others stay. A blank secret stays as it was; null takes a member away. Rejects with
   * `invalid_field` where a way would be left with fields it cannot use.
   */
  changeSetting(userId: number, changes: JsonObject): Promise<void>
  /** Sends a test notice at once, by the way the user chose. */
  test(userId: number): Promise<NoticeOutcome>
  /** Rows of the outbox, newest first. */
  page(query: OutboxQuery): Promise<OutboxPage>
  /** Sends a failed notice anew. Rejects with `gone_missing`, `conflict`. */
  retry(id: string): Promise<void>
  /** Looks for balances that fell below what their owners want to be warned of. Runs by itself, callable for tests. */
  watchBalances(): Promise<void>
}

/** Name and time are given to it as it is written. */
export type NewNotice = Omit<Notice, 'id' | 'timestamp'>

export interface NewReport {
  readonly address: string
  /** What happened: `task.finished`. */
  readonly event: string
  /** What it happened to. */
  readonly subject: string
  readonly key: string
}

/** The body of a report, as JSON. Undefined: there is nothing to report any more. */
export type WriteReport = (
  report: Pick<NewReport, 'event' | 'subject'> & Pick<Notice, 'timestamp'>,
) => Promise<string | undefined>

export interface Way {
  /** As `notify_type` names it. */
  readonly name: string
  readonly title: string
  readonly ready: boolean
  readonly fields: readonly SettingField[]
  /** Of title and fields. Absent: the plugin ships none. */
  readonly translations?: Translations
}

export interface UserSetting {
  readonly values: JsonObject
  /** Names of the secrets that are stored. */
  readonly secrets: readonly string[]
}

export type OutboxState = 'waiting' | 'delivered' | 'failed'

export interface OutboxQuery {
  /** Only this user's. */
  readonly userId?: number
  readonly state?: OutboxState
  readonly page: number
  readonly pageSize: number
}

export interface OutboxPage {
  readonly items: readonly OutboxRecord[]
  /** Counted up to 10,000. */
  readonly total: number
}

/** All of a notice except its text. */
export interface OutboxRecord {
  readonly id: string
  /** Absent: a mail to an address. */
  readonly userId?: number
  /** Empty: nobody's, or of somebody who is gone. */
  readonly username: string
  readonly type: string
  readonly state: OutboxState
  readonly attempts: number
  /** Why it was not delivered, so far. */
  readonly reason: string
  readonly createdAt: Date
  /** When it is tried next; of a finished one, when it was to be tried last. */
  readonly nextAt: Date
  readonly finishedAt?: Date
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    notifications: Notifications
  }
}

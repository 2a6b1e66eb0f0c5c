/** What others see of the security events of accounts. */
import type { SecurityEventKind } from './events.js'

export interface AccountNotices {
  /** Security events of one account, newest first. */
  page(query: SecurityEventQuery): Promise<SecurityEventPage>
}

export interface SecurityEventQuery {
  readonly userId: number
  /** Counts from 1. */
  readonly page: number
  readonly pageSize: number
}

export interface SecurityEventPage {
  readonly items: readonly SecurityEvent[]
  readonly total: number
}

export interface SecurityEvent {
  readonly id: number
  readonly kind: SecurityEventKind
  readonly at: Date
  /** Address it was done from; of a counted kind, the last one. */
  readonly address: string
  /** Of `failed_sign_ins`, `failed_proofs` and `sessions_ended` a number; empty where there is nothing to add. */
  readonly detail: string
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    'account-notices': AccountNotices
  }
}

/** What others see of second factors: an app's codes with recovery codes, and passkeys. */
import type { Knex } from 'knex'

export interface Factors {
  of(userId: number): Promise<FactorsOfUser>
  /**
   * Checks a code of the app, or a recovery code, which is used up by it. Rejects with `verification_failed`, after
   * five failures with `factor_locked` for five minutes.
   */
  check(userId: number, code: string): Promise<'totp' | 'recovery'>
  /** Takes every factor away: an admin's help for who lost theirs, or the end of an account. */
  remove(userId: number, which: 'totp' | 'passkeys' | 'all', trx: Knex.Transaction): Promise<void>
}

export interface FactorsOfUser {
  readonly totp: boolean
  readonly passkeys: number
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    factors: Factors
  }
}

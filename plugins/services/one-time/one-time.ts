/** What others see of secrets that count once: sign-ins under way, states of OAuth, proofs, challenges. */
import type { Knex } from 'knex'
import type { JsonObject } from '../../../kernel/contract/json.js'

export interface OneTime {
  /** A fresh secret, 43 characters, that stands for `terms` until it is taken or its time is over. */
  issue(options: OneTimeOptions, trx?: Knex.Transaction): Promise<string>
  /** Takes it, whoever comes first. Undefined: unknown, of another kind, taken before, or too late. */
  take(kind: string, secret: string, trx?: Knex.Transaction): Promise<OneTimeTaken | undefined>
  /**
   * Looks without taking, for what may be got wrong a few times: counts the look, and after `attemptsMax` of them the
   * secret is gone. Undefined as of `take`.
   */
  attempt(kind: string, secret: string, attemptsMax: number): Promise<OneTimeTaken | undefined>
}

export interface OneTimeOptions {
  /** A word that keeps one use from passing for another. */
  readonly kind: string
  readonly userId?: number
  /** Hex, as `Principal.sessionId`: it counts within that session only. Whoever takes it compares. */
  readonly sessionId?: string
  /** Sealed at rest. */
  readonly data?: JsonObject
  /** How long it lasts. */
  readonly seconds: number
}

export interface OneTimeTaken {
  readonly userId?: number
  readonly sessionId?: string
  readonly data: JsonObject
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    'one-time': OneTime
  }
}

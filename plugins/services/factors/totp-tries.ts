/**
 * Tries at the codes of an app. Every try of a stranger is counted before it is looked at; the fifth in a row that fails
 * locks the app's codes for five minutes, for strangers alone. A code of the last accepted step or an earlier one never
 * counts again.
 */
import type { Knex } from 'knex'
import { Secret, TOTP } from 'otpauth'
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { SecretBox } from '../../../kernel/contract/services/secrets.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { codeForm, conflict, inForce, placeOf } from './totp-secret.js'

const failuresMax = 5
const lockMs = 300_000

const count = `
  UPDATE totp SET
    failures = CASE WHEN failures >= ${failuresMax} THEN 1 ELSE failures + 1 END,
    locked_until = CASE WHEN failures = ${failuresMax - 1} THEN $3::timestamptz END
  WHERE user_id = $1 AND (enabled_at IS NOT NULL) = $2 AND (locked_until IS NULL OR locked_until <= $4)
  RETURNING secret_sealed`

export interface TotpTries {
  /** Counts a try and returns the sealed secret it is compared with. Throws a `Refusal` while the codes are locked. */
  counted(userId: number, enabled: boolean): Promise<string>
  /** The sealed secret in force, for somebody who is known. Throws a `Refusal` where there is none. */
  uncounted(userId: number): Promise<string>
  /** Whether the code belongs to a step that no code was accepted of yet; from then on one was. */
  usesStep(options: StepOptions, from: Knex): Promise<boolean>
}

interface StepOptions {
  readonly userId: number
  readonly sealed: string
  readonly code: string
  /** Columns that change with it. */
  readonly also?: object
}

export interface TryDependencies {
  readonly database: Database
  readonly secrets: SecretBox
  readonly clock: Clock
}

export function totpTries({ database, secrets, clock }: TryDependencies): TotpTries {
  const { knex } = database

  async function refuse(userId: number, enabled: boolean): Promise<never> {
    const row = await knex('totp').where('user_id', userId).first('enabled_at', 'locked_until')
    if (row === undefined || (row.enabled_at !== null) !== enabled) {
      if (enabled) throw new Refusal('verification_failed')
      throw conflict(row === undefined ? 'Set it up first.' : inForce)
    }
    const seconds = Math.max(1, Math.ceil((Number(row.locked_until) - clock.now()) / 1000))
    const headers = { 'retry-after': String(seconds) }
    throw new Refusal('factor_locked', { seconds }, { headers })
  }

  return {
    async counted(userId, enabled) {
      const now = clock.now()
      const values = [userId, enabled, new Date(now + lockMs), new Date(now)]
      const { rows } = await database.query({ name: 'factors_count', text: count, values })
      return rows[0]?.secret_sealed ?? refuse(userId, enabled)
    },
    async uncounted(userId) {
      const app = knex('totp').where('user_id', userId).whereNotNull('enabled_at')
      const row = await app.first('secret_sealed')
      if (row === undefined) throw new Refusal('verification_failed')
      return row.secret_sealed
    },
    async usesStep({ userId, sealed, code, also = {} }, from) {
      const secret = Secret.fromBase32(secrets.open(placeOf(userId), sealed))
      const timestamp = clock.now()
      const app = new TOTP({ ...codeForm, secret })
      const delta = app.validate({ token: code, timestamp, window: 1 })
      if (delta === null) return false
      const step = app.counter({ timestamp }) + delta
      const changed = await from('totp')
        .where({ user_id: userId, secret_sealed: sealed })
        .where('last_step', '<', step)
        .update({ ...also, last_step: step })
      return changed > 0
    },
  }
}

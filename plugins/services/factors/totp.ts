/**
 * Codes of an app: SHA-1, six digits, 30 seconds, as every app knows them, and one step either way for clocks that
 * differ. A code of the last accepted step or an earlier one never counts again. Every try of a stranger is counted before
 * it is looked at; the fifth in a row that fails locks the app's codes for five minutes, for strangers alone. Recovery
 * codes cannot be guessed, so they are a way in meanwhile.
 */
import type { Knex } from 'knex'
import { Secret, TOTP } from 'otpauth'
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { SecretBox } from '../../../kernel/contract/services/secrets.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Factors } from './factors.js'
import type { RecoveryCodes } from './recovery-codes.js'

const failuresMax = 5
const lockMs = 300_000
const secretBytes = 20
const form = { algorithm: 'SHA1', digits: 6, period: 30 } as const

const count = `
  UPDATE totp SET
    failures = CASE WHEN failures >= ${failuresMax} THEN 1 ELSE failures + 1 END,
    locked_until = CASE WHEN failures = ${failuresMax - 1} THEN $3::timestamptz END
  WHERE user_id = $1 AND (enabled_at IS NOT NULL) = $2 AND (locked_until IS NULL OR locked_until <= $4)
  RETURNING secret_sealed`

export type TotpFactor = Pick<
  Factors,
  'check' | 'totp' | 'setUp' | 'enable' | 'renewRecoveryCodes'
> & {
  remove(userId: number, trx: Knex.Transaction): Promise<void>
}

export interface TotpDependencies {
  readonly database: Database
  readonly secrets: SecretBox
  readonly codes: RecoveryCodes
  readonly clock: Clock
  /** What the app lists the account under. */
  issuer(): string
}

export function totpFactor({
  database,
  secrets,
  codes,
  clock,
  issuer,
}: TotpDependencies): TotpFactor {
  const { knex } = database
  const now = () => new Date(clock.now())

  /** Counts a try and answers the sealed secret it is to be held against. */
  async function counted(userId: number, enabled: boolean): Promise<string> {
    const lockedUntil = new Date(clock.now() + lockMs)
    const values = [userId, enabled, lockedUntil, now()]
    const { rows } = await database.query({ name: 'factors_count', text: count, values })
    return rows[0]?.secret_sealed ?? refuse(userId, enabled)
  }

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

  async function secretOf(userId: number): Promise<string> {
    const app = knex('totp').where('user_id', userId).whereNotNull('enabled_at')
    const row = await app.first('secret_sealed')
    if (row === undefined) throw new Refusal('verification_failed')
    return row.secret_sealed
  }

  /** Whether the code belongs to a step that no code was accepted of yet; from then on one was. */
  async function usesStep(options: StepOptions, from: Knex): Promise<boolean> {
    const { userId, sealed, code, also = {} } = options
    const secret = Secret.fromBase32(secrets.open(placeOf(userId), sealed))
    const timestamp = clock.now()
    const app = new TOTP({ ...form, secret })
    const delta = app.validate({ token: code, timestamp, window: 1 })
    if (delta === null) return false
    const step = app.counter({ timestamp }) + delta
    const changed = await from('totp')
      .where({ user_id: userId, secret_sealed: sealed })
      .where('last_step', '<', step)
      .update({ ...also, last_step: step })
    return changed > 0
  }

  return {
    async check(userId, typed, by) {
      const code = digitsOf(typed)
      const isStranger = by === 'stranger'
      if (code !== undefined) {
        const sealed = await (isStranger ? counted(userId, true) : secretOf(userId))
        // The tries of strangers go on counting when somebody known shows the right code.
        const also = isStranger ? fresh : {}
        if (await usesStep({ userId, sealed, code, also }, knex)) return 'totp'
      } else {
        await secretOf(userId)
        if (await codes.use(userId, typed, knex)) return 'recovery'
      }
      throw new Refusal('verification_failed')
    },
    async totp(userId) {
      const row = await knex('totp').where('user_id', userId).first('enabled_at', 'locked_until')
      const enabled = row !== undefined && row.enabled_at !== null
      const locked = enabled && row.locked_until !== null && row.locked_until > now()
      return { enabled, locked, recoveryCodes: enabled ? await codes.left(userId, knex) : 0 }
    },
    async setUp({ userId, username }) {
      const secret = new Secret({ size: secretBytes })
      const row = {
        ...fresh,
        secret_sealed: secrets.seal(placeOf(userId), secret.base32),
        last_step: 0,
        created_at: now(),
      }
      const recovery = await knex.transaction(async (trx) => {
        const [made] = await trx('totp')
          .insert({ user_id: userId, ...row })
          .onConflict('user_id')
          .merge(row)
          .whereNull('totp.enabled_at')
          .returning('user_id')
        if (made === undefined) throw conflict(inForce)
        return codes.renew(userId, trx)
      })
      const url = new TOTP({ ...form, secret, issuer: issuer(), label: username }).toString()
      return { secret: secret.base32, url, recoveryCodes: recovery }
    },
    async enable(userId, typed, then) {
      const sealed = await counted(userId, false)
      const code = digitsOf(typed) ?? ''
      await knex.transaction(async (trx) => {
        const also = { ...fresh, enabled_at: now() }
        if (!(await usesStep({ userId, sealed, code, also }, trx))) {
          throw new Refusal('verification_failed')
        }
        await then(trx)
      })
    },
    renewRecoveryCodes: (userId, then) =>
      knex.transaction(async (trx) => {
        const app = await trx('totp').where('user_id', userId).forUpdate().first('enabled_at')
        if (!app?.enabled_at) throw conflict('There is no authenticator app in force.')
        const renewed = await codes.renew(userId, trx)
        await then(trx)
        return renewed
      }),
    async remove(userId, trx) {
      await trx('totp').where('user_id', userId).delete()
      await codes.remove(userId, trx)
    },
  }
}

interface StepOptions {
  readonly userId: number
  readonly sealed: string
  readonly code: string
  /** Columns that change with it. */
  readonly also?: object
}

const fresh = { failures: 0, locked_until: null }
const inForce = 'An authenticator app is in force already; disable it first.'

function conflict(reason: string): Refusal {
  return new Refusal('conflict', { reason })
}

/** Apps show `123 456`. */
function digitsOf(typed: string): string | undefined {
  const digits = typed.replace(/\s/g, '')
  return /^\d{6}$/.test(digits) ? digits : undefined
}

function placeOf(userId: number): string {
  return `totp:${userId}:secret_sealed`
}

/**
 * Codes of an app: SHA-1, six digits, 30 seconds, as every app knows them, and one step either way for clocks that
 * differ. What bounds tries at them stands in `totp-tries.ts`; recovery codes cannot be guessed, so they are a way in while
 * the codes are locked.
 */
import type { Knex } from 'knex'
import { Secret, TOTP } from 'otpauth'
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { SecretBox } from '../../../kernel/contract/services/secrets.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { CodeBearer, Factors } from './factors.js'
import type { RecoveryCodes } from './recovery-codes.js'
import { codeForm, conflict, inForce, placeOf } from './totp-secret.js'
import { totpTries } from './totp-tries.js'

const secretBytes = 20

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

export function totpFactor(dependencies: TotpDependencies): TotpFactor {
  const { secrets, codes, clock, issuer } = dependencies
  const { knex } = dependencies.database
  const tries = totpTries(dependencies)
  const now = () => new Date(clock.now())

  async function check(userId: number, typed: string, by: CodeBearer) {
    const code = digitsOf(typed)
    const isStranger = by === 'stranger'
    if (code !== undefined) {
      const sealed = await (isStranger ? tries.counted(userId, true) : tries.uncounted(userId))
      // The tries of strangers go on counting when somebody known shows the right code.
      const also = isStranger ? fresh : {}
      if (await tries.usesStep({ userId, sealed, code, also }, knex)) return 'totp'
    } else {
      await tries.uncounted(userId)
      if (await codes.use(userId, typed, knex)) return 'recovery'
    }
    throw new Refusal('verification_failed')
  }

  async function setUp({ userId, username }: Parameters<TotpFactor['setUp']>[0]) {
    const secret = new Secret({ size: secretBytes })
    const row = {
      ...fresh,
      secret_sealed: secrets.seal(placeOf(userId), secret.base32),
      last_step: 0,
      created_at: now(),
    }
    const recoveryCodes = await knex.transaction(async (trx) => {
      const [made] = await trx('totp')
        .insert({ user_id: userId, ...row })
        .onConflict('user_id')
        .merge(row)
        .whereNull('totp.enabled_at')
        .returning('user_id')
      if (made === undefined) throw conflict(inForce)
      return codes.renew(userId, trx)
    })
    const url = new TOTP({ ...codeForm, secret, issuer: issuer(), label: username }).toString()
    return { secret: secret.base32, url, recoveryCodes }
  }

  return {
    check,
    setUp,
    async totp(userId) {
      const row = await knex('totp').where('user_id', userId).first('enabled_at', 'locked_until')
      const enabled = row !== undefined && row.enabled_at !== null
      const locked = enabled && row.locked_until !== null && row.locked_until > now()
      return { enabled, locked, recoveryCodes: enabled ? await codes.left(userId, knex) : 0 }
    },
    async enable(userId, typed, then) {
      const sealed = await tries.counted(userId, false)
      const code = digitsOf(typed) ?? ''
      await knex.transaction(async (trx) => {
        const also = { ...fresh, enabled_at: now() }
        if (!(await tries.usesStep({ userId, sealed, code, also }, trx))) {
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

const fresh = { failures: 0, locked_until: null }

/** Apps show `123 456`. */
function digitsOf(typed: string): string | undefined {
  const digits = typed.replace(/\s/g, '')
  return /^\d{6}$/.test(digits) ? digits : undefined
}

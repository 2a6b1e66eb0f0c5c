/**
 * Accounts that a passkey alone opens: their owner switches the password off, and on again, with a proof. As long as it is
 * off a passkey must be left, for root two, since nobody stands above root who could help.
 */
import joi from 'joi'
import type { Knex } from 'knex'
import type { ManagementRequest } from '../../../kernel/contract/management.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Factors } from '../../services/factors/index.js'
import type { Identity } from '../../services/identity/index.js'
import type { LiveSession, Verification } from '../../services/verification/index.js'

export interface PasswordLoginForm {
  readonly enabled: boolean
}

export const passwordLoginForm = joi
  .object({ enabled: joi.boolean().strict().required() })
  .prefs({ stripUnknown: true })
  .required()

export interface PasswordSwitchDependencies {
  readonly database: Database
  readonly identity: Identity
  readonly factors: Factors
  readonly verification: Verification
}

export function passwordSwitch({
  database,
  identity,
  factors,
  verification,
}: PasswordSwitchDependencies) {
  return async (
    request: ManagementRequest<unknown, PasswordLoginForm>,
    caller: LiveSession,
  ): Promise<void> => {
    const { enabled } = request.body
    await verification.require(request, 'password_change')
    if (!enabled && !factors.passkeys.enabled()) {
      throw new Refusal('feature_off', { what: 'Signing in by passkey' })
    }
    await database.knex.transaction(async (trx) => {
      if (!enabled) await factors.passkeys.requireEnough(caller.userId, trx)
      const columns = { password_off: !enabled }
      await identity.users.change(caller.userId, columns, trx, { except: caller })
    })
  }
}

export async function passwordOff(knex: Knex, userId: number): Promise<boolean> {
  const row = await knex('users').where('id', userId).first('password_off')
  return row?.password_off === true
}

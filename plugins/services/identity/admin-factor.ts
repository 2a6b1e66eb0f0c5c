/**
 * The second factor that root may require of every admin: who has none can do nothing but set one up, whatever they show,
 * a session or an access token. The option is taken only once root has a factor itself.
 */
import type { Knex } from 'knex'
import type { Settings } from '../../../kernel/contract/kit.js'
import type { Principal } from '../../../kernel/contract/management.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Options } from '../options/index.js'

const adminFactorOption = 'AdminSecondFactorRequired'
const adminRole = 10
const rootRole = 100

export interface AdminFactorDependencies {
  readonly knex: Knex
  readonly settings: Settings
  readonly options: Options
}

export type MustSetUpFactor = (person: Pick<Principal, 'userId' | 'role'>) => Promise<boolean>

export function adminFactor({ knex, settings, options }: AdminFactorDependencies): MustSetUpFactor {
  options.check(adminFactorOption, async (text) => {
    if (text !== 'true') return
    const root = await knex('users').where('role', rootRole).whereNull('deleted_at').first('id')
    if (root !== undefined && (await hasFactor(knex, root.id))) return
    const reason = `${adminFactorOption} needs a second factor of root first: an authenticator app or a passkey.`
    throw new Refusal('invalid_field', { reason, param: adminFactorOption })
  })

  return async ({ userId, role }) =>
    role >= adminRole && settings.boolean('adminFactor') && !(await hasFactor(knex, userId))
}

async function hasFactor(knex: Knex, userId: number): Promise<boolean> {
  const app = await knex('totp')
    .where('user_id', userId)
    .whereNotNull('enabled_at')
    .first('user_id')
  if (app !== undefined) return true
  return (await knex('passkeys').where('user_id', userId).first('id')) !== undefined
}

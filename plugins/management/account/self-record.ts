/** The signed-in user as their console reads them: the family's record, and what they may see and do. */
import { exact } from '../../../kernel/toolkit/management/index.js'
import type { FactorsOfUser } from '../../services/factors/index.js'
import type { UserRecord } from '../../services/identity/index.js'
import type { Wallet } from '../../services/ledger/index.js'

export interface SelfOptions {
  readonly record: UserRecord
  readonly factors: FactorsOfUser
  readonly hasPassword: boolean
  readonly wallet?: Wallet
  readonly passwordOff: boolean
  readonly mustSetUpFactor: boolean
}

const admin = 10
const root = 100

export function selfRecord(options: SelfOptions) {
  const { record, factors, hasPassword, wallet } = options
  const { sidebar_modules, language, first_steps_hidden } = JSON.parse(record.setting)
  return {
    ...record,
    held: exact(wallet?.held ?? 0n),
    permissions: permissions(record.role),
    sidebar_modules: typeof sidebar_modules === 'string' ? sidebar_modules : '',
    language: typeof language === 'string' ? language : '',
    first_steps_hidden: first_steps_hidden === true,
    has_password: hasPassword,
    two_factor: factors.totp,
    passkeys: factors.passkeys,
    password_off: options.passwordOff,
    must_set_up_factor: options.mustSetUpFactor,
  }
}

/** Which parts of the console are out of a role's reach. */
function permissions(role: number) {
  if (role >= root) return { sidebar_settings: true, sidebar_modules: {} }
  const closed = role >= admin ? { setting: false } : false
  return { sidebar_settings: true, sidebar_modules: { admin: closed } }
}

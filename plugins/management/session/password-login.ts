/** Signing in by password: counted before anything is verified, and told in the same words whatever was wrong. */
import type { Answer, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Database } from '../../../kernel/contract/service.js'
import { Refusal } from '../../../kernel/errors.js'
import type { Challenge } from '../../services/challenge/index.js'
import type { Identity } from '../../services/identity/index.js'
import type { RateLimits } from '../../services/rate-limits/index.js'
import type { SignIn } from '../../services/sign-in/index.js'
import type { LoginForm } from './forms.js'

const rootRole = 100

export interface PasswordLoginTerms {
  readonly database: Database
  readonly identity: Identity
  readonly challenge: Challenge
  readonly 'rate-limits': RateLimits
  readonly 'sign-in': SignIn
  readonly enabled: () => boolean
}

type LoginRequest = ManagementRequest<unknown, LoginForm>

export function passwordLogin(terms: PasswordLoginTerms) {
  const { database, identity, challenge, enabled } = terms

  /** While this way in is closed to everyone but root, nobody learns from it whether a password was right. */
  async function userOf({ username, password }: LoginForm): Promise<number> {
    if (enabled()) return identity.byPassword(username, password)
    const off = new Refusal('feature_off', { what: 'Signing in by password' })
    const userId = await identity.byPassword(username, password).catch((error) => {
      throw error instanceof Refusal && error.code !== 'rate_limit_exceeded' ? off : error
    })
    const user = await database.knex('users').where('id', userId).first('role')
    if (user?.role !== rootRole) throw off
    return userId
  }

  /** Before the password is looked at: of one that is changed meanwhile, the old one opens nothing. */
  async function epochOf(username: string): Promise<number | undefined> {
    const row = await database
      .knex('users')
      .whereRaw('lower(username) = lower(?)', [username])
      .whereNull('deleted_at')
      .first('sign_in_epoch')
    return row?.sign_in_epoch
  }

  return async (request: LoginRequest): Promise<Answer> => {
    await challenge.require(request)
    // One account has one count, by name and by address.
    const account = await identity.accountNamed(request.body.username)
    await terms['rate-limits'].signIn(account)
    const before = await epochOf(account)
    return terms['sign-in'].begin(request, await userOf(request.body), 'password', before)
  }
}

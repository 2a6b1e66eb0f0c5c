/** Signing in by password: counted before anything is verified, and refused in the same words whatever was wrong. */
import type { Answer, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { concerning, Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Challenge } from '../../services/challenge/index.js'
import type { GuessedBy, Guesses } from '../../services/guesses/index.js'
import type { Identity } from '../../services/identity/index.js'
import type { SignIn } from '../../services/sign-in/index.js'
import type { LoginForm } from './forms.js'

const rootRole = 100

export interface PasswordLoginDependencies {
  readonly database: Database
  readonly identity: Identity
  readonly challenge: Challenge
  readonly guesses: Guesses
  readonly 'sign-in': SignIn
  readonly enabled: () => boolean
}

interface Row {
  readonly id: number
  readonly sign_in_epoch: number
}

type LoginRequest = ManagementRequest<unknown, LoginForm>

export function passwordLogin(dependencies: PasswordLoginDependencies) {
  const { database, identity, challenge, guesses, enabled } = dependencies

  /** While this way in is closed to everyone but root, nobody learns from it whether a password was right. */
  async function userOf({ username, password }: LoginForm, by: GuessedBy): Promise<number> {
    if (enabled()) return identity.byPassword(username, password, by)
    const off = new Refusal('feature_off', { what: 'Signing in by password' })
    const userId = await identity.byPassword(username, password, by).catch((error) => {
      throw error instanceof Refusal && error.code !== 'rate_limit_exceeded' ? off : error
    })
    const user = await database.knex('users').where('id', userId).first('role')
    if (user?.role !== rootRole) throw off
    return userId
  }

  /** Before the password is looked at: of one that is changed meanwhile, the old one opens nothing. */
  async function rowOf(username: string): Promise<Row | undefined> {
    return database
      .knex<Row>('users')
      .whereRaw('lower(username) = lower(?)', [username])
      .whereNull('deleted_at')
      .first('id', 'sign_in_epoch')
  }

  return async (request: LoginRequest): Promise<Answer> => {
    await challenge.require(request)
    // One account has one count, by name and by address.
    const name = await identity.accountNamed(request.body.username)
    const row = await rowOf(name)
    const by = await guesses.password(request, { name, userId: row?.id })
    const userId = await userOf(request.body, by).catch((error: unknown) => {
      throw concerning(error, row && `user ${row.id}`)
    })
    return dependencies['sign-in'].begin(request, userId, 'password', row?.sign_in_epoch)
  }
}

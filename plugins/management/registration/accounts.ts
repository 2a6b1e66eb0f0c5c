/** Accounts as their owners make and recover them: joining by form, a lost password, an address of one's own. */
import { randomInt } from 'node:crypto'
import type { Knex } from 'knex'
import type { Answer, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Changes } from '../../../kernel/contract/services/changes.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { concerning, Refusal } from '../../../kernel/toolkit/errors/index.js'
import { signedIn } from '../../../kernel/toolkit/management/index.js'
import type { Challenge } from '../../services/challenge/index.js'
import type { Identity } from '../../services/identity/index.js'
import type { Registration } from '../../services/registration/index.js'
import type { Verification } from '../../services/verification/index.js'
import type { BindForm, RegisterForm, ResetForm } from './forms.js'
import type { MailCodes } from './mail-codes/index.js'
import { ownerOf } from './mails.js'

export interface AccountDependencies {
  readonly database: Database
  readonly changes: Changes
  readonly identity: Identity
  readonly registration: Registration
  readonly codes: MailCodes
  readonly challenge: Challenge
  readonly verification: Verification
}

export interface Accounts {
  register(request: ManagementRequest<unknown, RegisterForm>): Promise<Answer>
  reset(request: ManagementRequest<unknown, ResetForm>): Promise<Answer>
  bindEmail(request: ManagementRequest<unknown, BindForm>): Promise<Answer>
}

/** Without letters and digits that are mistaken for another: 70 bits. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'
const drawnLength = 12

export function accounts(dependencies: AccountDependencies): Accounts {
  return {
    register: (request) => register(request, dependencies),
    reset: (request) => reset(request, dependencies),
    bindEmail: (request) => bindEmail(request, dependencies),
  }
}

async function register(
  request: ManagementRequest<unknown, RegisterForm>,
  dependencies: AccountDependencies,
): Promise<Answer> {
  const { database, identity, registration, challenge, codes } = dependencies
  registration.admits('password')
  await challenge.require(request)
  const { username, password, email, verification_code, aff_code } = request.body
  if (email !== undefined) registration.checkEmail(email)
  if (registration.verifiesEmail()) {
    given(email, 'email')
    given(verification_code, 'verification_code')
  }
  // What costs a hash or the code is checked last.
  await mustBeFree(username, database)
  const passwordHash = await identity.hash(password, [username, email ?? ''])
  const emailVerified = email !== undefined && verification_code !== undefined
  if (emailVerified) await useCode(email, verification_code, codes)
  const person = { by: 'password', username, passwordHash, email, emailVerified } as const
  const newcomer = { ...person, invitationCode: aff_code, requestId: request.requestId }
  const userId = await write(dependencies, (trx) => registration.join(newcomer, trx))
  const actor = { userId, username, role: 1 }
  return { answer: true, data: null, audit: { actor, object: `user ${userId}` } }
}

async function mustBeFree(username: string, { knex }: Database): Promise<void> {
  const holder = await knex('users')
    .whereRaw('lower(username) = lower(?)', [username])
    .whereNull('deleted_at')
    .first('id')
  if (holder === undefined) return
  throw new Refusal('conflict', { reason: 'This user name is taken.', param: 'username' })
}

async function reset(
  request: ManagementRequest<unknown, ResetForm>,
  dependencies: AccountDependencies,
): Promise<Answer> {
  const { database, identity, codes } = dependencies
  const { email, token, password = drawn() } = request.body
  // A password that will not do costs nobody their link.
  await identity.judge(password, [email])
  // Looked up whatever the link is, so that the time it takes reveals nothing.
  const owner = await ownerOf(email, database)
  await codes.use(email, 'reset', token).catch((error: unknown) => {
    throw concerning(error, owner && `user ${owner.id}`)
  })
  if (owner === undefined) throw new Refusal('mail_code_invalid')
  const password_hash = await identity.hash(password, [owner.username, email])
  await write(dependencies, async (trx) => {
    const changed = await identity.users.change(owner.id, { password_hash }, trx, { status: 1 })
    if (!changed) throw new Refusal('mail_code_invalid')
  })
  const { id: userId, username, role } = owner
  const audit = { actor: { userId, username, role }, object: `user ${userId}` }
  const data = request.body.password === undefined ? password : null
  return { answer: true, data, audit }
}

async function bindEmail(
  request: ManagementRequest<unknown, BindForm>,
  dependencies: AccountDependencies,
): Promise<Answer> {
  const { identity, registration, verification, codes } = dependencies
  const { userId } = signedIn(request)
  const { email, verification_code } = request.body
  registration.checkEmail(email)
  // The proof comes first: who only has the session may not try codes.
  await verification.require(request, 'email_change')
  await useCode(email, verification_code, codes)
  const former = await write(dependencies, async (trx) => {
    const before = await trx('users')
      .where('id', userId)
      .forUpdate()
      .first('email', 'email_verified')
    await registration.claimEmail(email, userId, trx)
    await identity.users.change(userId, { email, email_verified: true }, trx)
    return before?.email_verified ? before.email : ''
  })
  const audit = { object: `user ${userId}`, detail: 'email', before: { email: former } }
  return { answer: true, data: null, audit }
}

async function useCode(email: string, code: string, codes: MailCodes): Promise<void> {
  await codes.use(email, 'verification', code).catch((error: unknown) => {
    const wrong = error instanceof Refusal && error.code === 'mail_code_invalid'
    throw wrong ? new Refusal('mail_code_invalid', { param: 'verification_code' }) : error
  })
}

async function write<T>(
  { database, changes }: AccountDependencies,
  work: (trx: Knex.Transaction) => Promise<T>,
): Promise<T> {
  const done = await database.knex.transaction(work)
  await changes.settled()
  return done
}

function given(value: unknown, param: string): void {
  if (value !== undefined) return
  throw new Refusal('invalid_field', { reason: `${param} is required.`, param })
}

function drawn(): string {
  return Array.from({ length: drawnLength }, () => alphabet[randomInt(alphabet.length)]).join('')
}

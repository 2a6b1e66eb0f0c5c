/** Joining: a new user by their own doing, by form or by another place's word. */
import type { Knex } from 'knex'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { admittedAddress } from './address-rules.js'
import { leave } from './farewell.js'
import { firstToken } from './first-token.js'
import { freeName } from './free-name.js'
import { invitationCodeOf, inviterOf } from './invitation-codes.js'
import { ruleOptions } from './option-rules.js'
import type { Newcomer, Registration } from './registration.js'
import { reward } from './rewards.js'

export type * from './registration.js'

const common = { role: 1, group: 'default' } as const

export default function create({
  services,
  settings,
}: Kit<
  | 'database'
  | 'changes'
  | 'identity'
  | 'ledger'
  | 'secrets'
  | 'options'
  | 'notifications'
  | 'factors'
  | 'subscriptions'
>): Registration {
  const { database, identity } = services
  ruleOptions({ ...services, settings })

  function admits(by: Newcomer['by']): void {
    if (!settings.boolean('open')) throw new Refusal('feature_off', { what: 'Joining' })
    if (by === 'password' && !settings.boolean('byPassword')) {
      throw new Refusal('feature_off', { what: 'Joining with user name and password' })
    }
  }

  async function join(newcomer: Newcomer, trx: Knex.Transaction): Promise<number> {
    const { by, username, displayName, passwordHash, requestId } = newcomer
    admits(by)
    const inviterId = await inviterOf(newcomer.invitationCode, trx)
    const email = await keptAddress(newcomer, trx)
    const address = email === undefined ? {} : { email, emailVerified: true }
    const person = { username, displayName: displayName || username, passwordHash, inviterId }
    const userId = await identity.enroll({ ...person, ...common, ...address }, trx)
    await invitationCodeOf(userId, identity.users, trx)
    await reward({ userId, inviterId, requestId }, { ...services, settings }, trx)
    await services.subscriptions.welcome(userId, requestId, trx)
    if (settings.boolean('firstToken')) await firstToken(userId, services, trx)
    return userId
  }

  /** Every address must pass the rules; one that is not shown to be theirs is not kept. */
  async function keptAddress({ email, emailVerified }: Newcomer, trx: Knex.Transaction) {
    if (email === undefined || email === '') return undefined
    const address = admittedAddress(email, settings)
    if (!emailVerified) return undefined
    await identity.users.releaseEmail(address, undefined, trx)
    return address
  }

  return {
    join,
    leave: (userId, trx) => leave(userId, services, trx),
    admits,
    freeName: (wish, prefix, trx) => freeName({ wish, prefix, claim: identity.claimName }, trx),
    claimEmail: identity.users.releaseEmail,
    checkEmail: (email) => void admittedAddress(email, settings),
    verifiesEmail: () => settings.boolean('verifiesEmail'),
    invitationCode: (userId) =>
      database.knex.transaction((trx) => invitationCodeOf(userId, identity.users, trx)),
  }
}

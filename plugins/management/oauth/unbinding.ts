/** Unbinding a place: with a fresh proof, and never the last way in (AUTH-4). */
import type { Knex } from 'knex'
import type { Answer, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { signedIn } from '../../../kernel/toolkit/management/index.js'
import type { Identity } from '../../services/identity/index.js'
import type { Verification } from '../../services/verification/index.js'

export interface UnbindingDependencies {
  readonly database: Database
  readonly identity: Identity
  readonly verification: Verification
}

export function unbinding({ database, identity, verification }: UnbindingDependencies) {
  return async (request: ManagementRequest): Promise<Answer> => {
    const caller = signedIn(request)
    const { userId } = caller
    const provider = request.params.provider!
    await database.knex.transaction(async (trx) => {
      // Of two at once the second sees what the first has left.
      const user = await trx('users').where('id', userId).forUpdate().first('password_hash')
      await verification.require(request, 'oauth_unbind', trx)
      const removed = await trx('oauth_identities').where({ user_id: userId, provider }).delete()
      if (removed === 0) throw new Refusal('gone_missing', { what: 'binding', param: 'provider' })
      if (!user?.password_hash && !(await hasOtherWay(userId, trx))) throw lastWay()
      // Who came in by it may be somebody else.
      await identity.cutSessions(userId, trx, caller)
    })
    const audit = { object: `user ${userId}`, detail: `unbind ${provider}` }
    return { answer: true, data: null, audit }
  }
}

async function hasOtherWay(userId: number, trx: Knex.Transaction): Promise<boolean> {
  const passkey = await trx('passkeys').where('user_id', userId).first('id')
  const other = await trx('oauth_identities').where('user_id', userId).first('id')
  return passkey !== undefined || other !== undefined
}

function lastWay(): Refusal {
  const reason = 'This is your only way to sign in. Set a password or add a passkey first.'
  return new Refusal('conflict', { reason, param: 'provider' })
}

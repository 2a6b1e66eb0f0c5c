/** What joining brings: quota for the newcomer, and for who invited them a reward they move into their wallet themselves. */
import type { Knex } from 'knex'
import type { Settings } from '../../../kernel/contract/kit.js'
import type { Identity, Users } from '../identity/index.js'
import type { Ledger } from '../ledger/index.js'

export interface Joined {
  readonly userId: number
  readonly inviterId: number | undefined
  readonly requestId: string
}

export interface RewardDependencies {
  readonly identity: Pick<Identity, 'users'>
  readonly ledger: Ledger
  readonly settings: Settings
}

/** For inviting a user, in quota. */
interface Reward {
  readonly inviterId: number
  readonly userId: number
  readonly quota: number
}

/** Rows of users before accounts, as every other movement locks them. */
export async function reward(
  joined: Joined,
  { identity, ledger, settings }: RewardDependencies,
  trx: Knex.Transaction,
): Promise<void> {
  const { userId, inviterId, requestId } = joined
  if (inviterId !== undefined) {
    await rewardInviter(
      { inviterId, userId, quota: settings.number('quotaForInviter') },
      identity.users,
      trx,
    )
  }
  const post = (kind: 'grant' | 'invite', key: string, quota: number, note: string) =>
    ledger.post({ key, kind, userId, amount: BigInt(quota), requestId, note }, trx)
  const welcome = settings.number('quotaForNewUser')
  if (welcome > 0) await post('grant', `grant:new:${userId}`, welcome, 'Quota of new users')
  const invited = settings.number('quotaForInvitee')
  if (inviterId !== undefined && invited > 0) {
    await post('invite', `invite:invitee:${userId}`, invited, 'Quota of invited users')
  }
}

/** Once per newcomer: their row in `invitations` is the only one. */
async function rewardInviter(
  { inviterId, userId, quota }: Reward,
  users: Pick<Users, 'addReward'>,
  trx: Knex.Transaction,
): Promise<void> {
  const invitation = { invitee_id: userId, inviter_id: inviterId, reward: quota }
  await trx('invitations').insert(invitation)
  await users.addReward(inviterId, quota, trx)
}

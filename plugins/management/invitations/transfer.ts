/**
 * Rewards become money: taken from the row of the user and posted to their wallet in one transaction, once per key
 * (AUTH-6, BILL-2). The row is locked first, so that of transfers at the same time none takes what another took.
 */
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Identity } from '../../services/identity/index.js'
import type { Ledger } from '../../services/ledger/index.js'

export interface Transfer {
  readonly userId: number
  readonly quota: bigint
  readonly moneyKey: string
  /** As `ManagementRequest.moneyPrint`. */
  readonly moneyPrint?: Buffer
  readonly requestId: string
}

export interface Transferred {
  /** False: this transfer was made before; nothing moved now. */
  readonly moved: boolean
  /** Rewards that are left. */
  readonly rewards: bigint
  /** Of the wallet, posted − held. */
  readonly balance: bigint
}

export interface TransferDependencies {
  readonly database: Database
  readonly identity: Pick<Identity, 'users'>
  readonly ledger: Ledger
}

export function transferRewards(
  { userId, quota, moneyKey, moneyPrint, requestId }: Transfer,
  { database, identity, ledger }: TransferDependencies,
): Promise<Transferred> {
  if (moneyKey === '') throw new Error('a movement of money without a key')
  return database.knex.transaction(async (trx) => {
    await ledger.claimKey({ moneyKey, moneyPrint }, trx)
    const person = await trx('users')
      .where({ id: userId, status: 1 })
      .whereNull('deleted_at')
      .forNoKeyUpdate()
      .first('aff_quota')
    if (person === undefined) throw new Refusal('gone_missing', { what: 'user' })
    const rewards: bigint = person.aff_quota
    const { verdict, balance } = await ledger.post(
      {
        key: `invite:transfer:${moneyKey}`,
        kind: 'invite',
        userId,
        amount: quota,
        requestId,
        note: 'Rewards of invitations',
      },
      trx,
    )
    if (verdict === 'already') return { moved: false, rewards, balance }
    if (rewards < quota) throw short(rewards)
    const left = rewards - quota
    await identity.users.setRewards(userId, left, trx)
    return { moved: true, rewards: left, balance }
  })
}

function short(rewards: bigint): Refusal {
  const reason = `The rewards come to ${rewards} quota, less than is to be moved.`
  return new Refusal('insufficient_balance', { reason, param: 'quota' })
}

/** Root's movement of a wallet: a transfer with a reason, once per request, however often it is sent (BILL-2). */
import type { Knex } from 'knex'
import type { ManagementRequest } from '../../../kernel/contract/management.js'
import type { Changes } from '../../../kernel/contract/services/changes.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Identity } from '../../services/identity/index.js'
import type { Ledger, Posted, Posting, Wallet } from '../../services/ledger/index.js'
import type { ManageForm } from './forms.js'

export type Movement = Extract<ManageForm, { readonly action: 'add_quota' }>

export interface BalanceDependencies {
  readonly database: Database
  readonly changes: Changes
  readonly ledger: Ledger
  readonly identity: Pick<Identity, 'accessTokens'>
}

/** What a wallet shows, posted − held. */
export interface Moved {
  readonly before: bigint
  readonly after: bigint
}

/** Throws `insufficient_balance`. The wallet is locked first, so that the balance before is the one that was moved. */
export async function moveBalance(
  { database, changes, ledger, identity }: BalanceDependencies,
  request: ManagementRequest<unknown, Movement>,
): Promise<Moved> {
  const { id, mode, value } = request.body
  if (request.moneyKey === '') throw new Error('a movement of money without a key')
  const moved = await database.knex.transaction(async (trx) => {
    await ledger.claimKey(request, trx)
    const before = await lockedBalance(trx, await ledger.openWallet(id, trx))
    const amount = amountOf(request.body, before)
    if (mode === 'override' && amount === 0n) return { before, after: before }
    const { verdict, balance }: Posted = await ledger.post(posting(request, amount), trx)
    if (verdict === 'short') {
      const reason = `The wallet holds ${balance}, less than the ${value} to be taken.`
      throw new Refusal('insufficient_balance', { reason, param: 'value' })
    }
    const token = request.principal?.accessToken
    if (token !== undefined && verdict === 'posted') {
      await identity.accessTokens.countCredit(token, amount, trx)
    }
    await changes.note(trx, 'users', id)
    return { before, after: balance }
  })
  await changes.settled()
  return moved
}

async function lockedBalance(trx: Knex.Transaction, accountId: number): Promise<bigint> {
  const { posted, held }: Pick<Wallet, 'posted' | 'held'> = await trx('accounts')
    .where('id', accountId)
    .forNoKeyUpdate()
    .first('posted', 'held')
  return posted - held
}

export function amountOf(
  { mode, value }: Pick<Movement, 'mode' | 'value'>,
  before: bigint,
): bigint {
  if (mode === 'override') return BigInt(value) - before
  return mode === 'add' ? BigInt(value) : -BigInt(value)
}

function posting(request: ManagementRequest<unknown, Movement>, amount: bigint): Posting {
  const { id, mode, remark } = request.body
  return {
    key: `admin:${request.moneyKey}`,
    kind: 'admin',
    userId: id,
    amount,
    mayOverdraw: mode === 'override',
    requestId: request.requestId,
    note: remark,
  }
}

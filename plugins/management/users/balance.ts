/** An admin's movement of a wallet: one posting per request, however often it is sent (BILL-2). */
import type { Knex } from 'knex'
import type { ManagementRequest } from '../../../kernel/contract/management.js'
import type { Database } from '../../../kernel/contract/service.js'
import { Refusal } from '../../../kernel/errors.js'
import type { Ledger, Posted, Posting, Wallet } from '../../services/ledger/index.js'
import type { ManageForm } from './forms.js'

type Movement = Extract<ManageForm, { readonly action: 'add_quota' }>

/** Answers the balance afterwards, posted − held. Throws `insufficient_balance`. */
export async function moveBalance(
  { database, ledger }: { readonly database: Database; readonly ledger: Ledger },
  request: ManagementRequest<unknown, Movement>,
): Promise<bigint> {
  const { mode, value } = request.body
  if (request.moneyKey === '') throw new Error('a movement of money without a key')
  const posted =
    mode === 'override'
      ? await database.knex.transaction((trx) => override(trx, ledger, request))
      : await ledger.post(posting(request, mode === 'add' ? BigInt(value) : -BigInt(value)))
  if (posted.verdict === 'short') {
    const reason = `The wallet holds ${posted.balance}, less than the ${value} to be taken.`
    throw new Refusal('insufficient_balance', { reason, param: 'value' })
  }
  return posted.balance
}

/** The wallet is locked first, so that what is added is what was missing at that moment. */
async function override(
  trx: Knex.Transaction,
  ledger: Ledger,
  request: ManagementRequest<unknown, Movement>,
): Promise<Posted> {
  const accountId = await ledger.openWallet(request.body.id, trx)
  const { posted, held }: Pick<Wallet, 'posted' | 'held'> = await trx('accounts')
    .where('id', accountId)
    .forNoKeyUpdate()
    .first('posted', 'held')
  const balance = posted - held
  const missing = BigInt(request.body.value) - balance
  if (missing === 0n) return { verdict: 'already', balance }
  return ledger.post(posting(request, missing), trx)
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
    note: remark || `${mode} by ${request.principal?.username ?? ''}`,
  }
}

/**
 * Wallets, and the movements of money outside the line: each once per key, each shown in the log of
 * its user.
 */
import type { Knex } from 'knex'
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { persistentText } from '../../../kernel/toolkit/service/index.js'
import type { Posted, Posting, Wallet } from './ledger.js'
import { repeated } from './repeated.js'

export interface Wallets {
  open(userId: number, trx: Knex.Transaction): Promise<number>
  setActive(
    userIds: number | readonly number[],
    active: boolean,
    trx: Knex.Transaction,
  ): Promise<void>
  of(userIds: readonly number[]): Promise<ReadonlyMap<number, Wallet>>
  post(posting: Posting, trx?: Knex.Transaction): Promise<Posted>
}

/** Where the other side of a movement stands. */
export const systemAccounts = {
  revenue: -1,
  adjustment: -2,
  promo: -3,
  clearing: -4,
  subscriptions: -5,
} as const

const counterparts = {
  admin: systemAccounts.adjustment,
  topup: systemAccounts.clearing,
  chargeback: systemAccounts.clearing,
  grant: systemAccounts.promo,
  invite: systemAccounts.promo,
  redeem: systemAccounts.promo,
  sub_buy: systemAccounts.subscriptions,
  sub_grant: systemAccounts.subscriptions,
  sub_expire: systemAccounts.subscriptions,
} as const satisfies Record<Posting['kind'], number>

const logTypes: Readonly<Record<Posting['kind'], number>> = {
  admin: 3,
  topup: 1,
  chargeback: 1,
  grant: 1,
  invite: 1,
  redeem: 1,
  sub_buy: 4,
  sub_grant: 4,
  sub_expire: 4,
}

export function createWallets(database: Database, clock: Clock): Wallets {
  async function post(posting: Posting, trx?: Knex.Transaction): Promise<Posted> {
    if (posting.key.trim() === '' || posting.requestId.trim() === '') {
      throw new Refusal('invalid_field', {
        reason: 'A movement of money needs a key of its own.',
        param: 'key',
      })
    }
    if (trx) return move(trx, posting)
    return repeated(clock, () => database.knex.transaction((own) => move(own, posting)))
  }

  async function of(userIds: readonly number[]): Promise<ReadonlyMap<number, Wallet>> {
    const { rows } = await database.query({
      name: 'wallets',
      text: `
        SELECT owner_id, id, posted, held, floor, used, requests, active AND NOT blocked AS active
        FROM accounts WHERE kind = 'wallet' AND period_key = '' AND owner_id = ANY ($1::integer[])`,
      values: [userIds],
    })
    return new Map(rows.map((row) => [row.owner_id, walletOf(row)]))
  }

  return { open, setActive, of, post }
}

/** Takes the status its user has now. */
async function open(userId: number, trx: Knex.Transaction): Promise<number> {
  await trx.raw(
    `INSERT INTO accounts (kind, owner_id, active) SELECT 'wallet', id, status = 1 FROM users WHERE id = ?
     ON CONFLICT (kind, owner_id, period_key) DO NOTHING`,
    [userId],
  )
  const wallet = await trx('accounts')
    .select('id')
    .where({ kind: 'wallet', owner_id: userId, period_key: '' })
    .first()
  if (!wallet) throw new Refusal('gone_missing', { what: 'user' })
  return wallet.id
}

async function setActive(
  userIds: number | readonly number[],
  active: boolean,
  trx: Knex.Transaction,
): Promise<void> {
  const owners = trx('accounts').whereRaw('owner_id = ANY(?::int[])', [[userIds].flat()])
  await owners.whereNot({ kind: 'system' }).update({ active })
}

async function move(trx: Knex.Transaction, posting: Posting): Promise<Posted> {
  const account = posting.accountId ?? (await open(posting.userId, trx))
  const counterpart = counterparts[posting.kind]
  const credit = posting.amount >= 0n
  const { rows } = await trx.raw(
    'SELECT verdict, balance FROM ledger_post(?, ?, ?, ?, ?, ?, ?::jsonb, ?)',
    [
      posting.key,
      posting.kind,
      credit ? counterpart : account,
      credit ? account : counterpart,
      String(credit ? posting.amount : -posting.amount),
      posting.requestId,
      JSON.stringify({ note: persistentText(posting.note) }),
      posting.mayOverdraw ?? false,
    ],
  )
  const { verdict, balance } = rows[0]
  if (verdict === 'posted') await show(trx, posting)
  return { verdict, balance: BigInt(balance) }
}

/**
 * A row for people. Its quota is 0: what requests cost is summed over consume and refund rows alone
 * (I5).
 */
async function show(trx: Knex.Transaction, posting: Posting): Promise<void> {
  const type = logTypes[posting.kind]
  const detail = {
    content: persistentText(posting.note),
    kind: posting.kind,
    amount: String(posting.amount),
    key: posting.key,
  }
  // Two movements of one request in one transaction share now(): the later row steps aside by a
  // microsecond.
  await trx.raw(
    `INSERT INTO usage_log (request_id, created_at, type, user_id, username, group_name, detail)
     SELECT ?, greatest(now(),
       (SELECT max(created_at) + interval '1 microsecond' FROM usage_log WHERE request_id = ?)),
       ?, id, username, "group", ?::jsonb
     FROM users WHERE id = ?`,
    [posting.requestId, posting.requestId, type, JSON.stringify(detail), posting.userId],
  )
}

interface AccountRow {
  readonly id: number
  readonly posted: bigint
  readonly held: bigint
  readonly floor: bigint
  readonly used: bigint
  readonly requests: bigint
  readonly active: boolean
}

function walletOf(row: AccountRow): Wallet {
  return {
    accountId: row.id,
    posted: row.posted,
    held: row.held,
    floor: row.floor,
    used: row.used,
    requests: Number(row.requests),
    active: row.active,
  }
}

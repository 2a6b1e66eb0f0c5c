/**
 * Warns who spent until their balance fell below what they want to be warned of: once for each stretch below. Only
 * accounts whose money moved since the last run are looked at, found by the book's own order, so that a hundred thousand
 * users who are idle cost nothing.
 */
import type { Knex } from 'knex'
import type { NewNotice } from './notifications.js'

const markName = 'notifications.transfers_seen'
/** Transfers looked through in one statement. */
const transfersMax = 20_000
/** Accounts whose balances are read in one statement. */
const accountsMax = 500

export interface LowBalanceDependencies {
  readonly knex: Knex
  /** Where a user set none. Quota. */
  thresholdDefault(): number
  tell(userId: number, notice: NewNotice, trx: Knex.Transaction): Promise<void>
}

interface Balance {
  readonly id: number
  readonly balance: bigint
  readonly warned: boolean
  readonly threshold: unknown
}

export function createLowBalance({ knex, thresholdDefault, tell }: LowBalanceDependencies) {
  /**
   * The end of the run before the last, and of the last: transfers become visible in the order of commits, not of ids,
   * so each is looked at in two runs, a minute apart.
   */
  async function marks(): Promise<readonly bigint[]> {
    const row = await knex('facts').select('value').where({ name: markName }).first()
    return row === undefined ? [] : String(row.value).split(' ').map(BigInt)
  }

  async function run(): Promise<void> {
    const end = await knex('transfers').max('id as id').first()
    const newest = BigInt(end?.id ?? 0)
    const [from = newest, last = newest] = await marks()
    const seen = new Set<number>()
    for (let after = from; after < newest; after += BigInt(transfersMax)) {
      for (const account of await movedSince(knex, after)) seen.add(account)
    }
    const accounts = [...seen]
    for (let at = 0; at < accounts.length; at += accountsMax) {
      await look(accounts.slice(at, at + accountsMax))
    }
    await knex('facts')
      .insert({ name: markName, value: `${last} ${newest}` })
      .onConflict('name')
      .merge()
  }

  async function look(accounts: readonly number[]): Promise<void> {
    const { rows } = await knex.raw(balancesText, [[...accounts]])
    for (const row of rows as readonly Balance[]) {
      const threshold = thresholdOf(row.threshold)
      if (threshold > 0n && row.balance < threshold) {
        if (!row.warned) await warn(row, threshold)
      } else if (row.warned) {
        await knex.raw(liftText, [row.id, row.id, String(threshold)])
      }
    }
  }

  function thresholdOf(set: unknown): bigint {
    const quota = typeof set === 'number' && set > 0 ? set : thresholdDefault()
    return BigInt(Math.ceil(quota))
  }

  async function warn({ id, balance }: Balance, threshold: bigint): Promise<void> {
    await knex.transaction(async (trx) => {
      const { rowCount } = await trx.raw(warnText, [id, id, String(threshold)])
      if (rowCount === 1) await tell(id, noticeOf(balance, threshold), trx)
    })
  }

  return { run }
}

/** Wallets and other accounts that were debited or credited by the next transfers after this one. */
async function movedSince(knex: Knex, after: bigint): Promise<readonly number[]> {
  const { rows } = await knex.raw(movedText, [String(after), String(after + BigInt(transfersMax))])
  return rows.map(({ account }: { readonly account: number }) => account)
}

export const movedText = `
  SELECT DISTINCT s.account FROM transfers t
  CROSS JOIN LATERAL (VALUES (t.debit_account), (t.credit_account)) AS s (account)
  WHERE t.id > ?::bigint AND t.id <= ?::bigint AND s.account > 0`

export const balancesText = `
  SELECT u.id, a.posted - a.held AS balance, u.quota_warned AS warned,
    u.setting -> 'quota_warning_threshold' AS threshold
  FROM accounts a JOIN users u ON u.id = a.owner_id
  WHERE a.id = ANY (?::integer[]) AND a.kind = 'wallet' AND u.status = 1 AND u.deleted_at IS NULL`

/** By the balance as it is now, so that two processes warn once. */
const warnText = `
  UPDATE users SET quota_warned = true
  WHERE id = ? AND NOT quota_warned AND EXISTS (
    SELECT FROM accounts WHERE kind = 'wallet' AND owner_id = ? AND posted - held < ?::bigint)`

const liftText = `
  UPDATE users SET quota_warned = false
  WHERE id = ? AND quota_warned AND EXISTS (
    SELECT FROM accounts WHERE kind = 'wallet' AND owner_id = ? AND posted - held >= ?::bigint)`

function noticeOf(balance: bigint, threshold: bigint): NewNotice {
  return {
    type: 'quota_exceed',
    title: 'Your balance is low',
    content:
      'Your balance has fallen to {{value}} quota, below the {{value}} you are warned at. ' +
      'Requests are refused once it is used up. Top up to go on without interruption.',
    values: [String(balance), String(threshold)],
  }
}

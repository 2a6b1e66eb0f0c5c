/** Accounts of subscriptions: one for each period, so that what is left of one cannot be spent in the next. */
import type { Knex } from 'knex'
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { PeriodAccount, PeriodAccounts } from './ledger.js'

interface Row extends PeriodAccount {
  readonly id: number
}

const columns = ['id', 'posted', 'held', 'used', 'floor'] as const

export function createPeriods(database: Database): PeriodAccounts {
  return {
    open: openPeriod,
    async lock(accountIds, trx) {
      const rows = trx<Row>('accounts').whereIn('id', [...accountIds])
      return byId(await rows.orderBy('id').forNoKeyUpdate().select(columns))
    },
    async setFloor(accountId, floor, trx) {
      await trx('accounts').where({ id: accountId, kind: 'subscription_period' }).update({ floor })
    },
    async read(accountIds, trx = database.knex) {
      const rows = trx<Row>('accounts').whereIn('id', [...accountIds])
      return byId(await rows.select(columns))
    },
  }
}

const openPeriod: PeriodAccounts['open'] = async (
  { userId, key, floor },
  trx: Knex.Transaction,
) => {
  const { rows } = await trx.raw(
    `INSERT INTO accounts (kind, owner_id, period_key, floor, active)
     SELECT 'subscription_period', id, ?, ?, status = 1 FROM users WHERE id = ? RETURNING id`,
    [key, String(floor), userId],
  )
  if (rows.length === 0) throw new Refusal('gone_missing', { what: 'user' })
  return rows[0].id
}

function byId(rows: readonly Row[]): ReadonlyMap<number, PeriodAccount> {
  return new Map(
    rows.map(({ id, posted, held, used, floor }) => [
      id,
      {
        posted: BigInt(posted),
        held: BigInt(held),
        used: BigInt(used),
        floor: BigInt(floor),
      },
    ]),
  )
}

/** The few columns of a channel's row this area reads and writes; every write is one short transaction. */
import type { Knex } from 'knex'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Changes } from '../../../kernel/contract/services/changes.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'

export interface Row {
  readonly id: number
  readonly name: string
  readonly models: readonly string[]
  readonly model_mapping: Readonly<Record<string, string>>
  readonly settings: JsonObject
  readonly test_model: string
  /** Empty: the channel has one key. */
  readonly multi_key_mode: string
}

interface RowChanges {
  readonly models?: readonly string[]
  /** Merged into the row's. */
  readonly settings?: JsonObject
}

export interface Rows {
  get(id: number): Promise<Row>
  all(): Promise<readonly Row[]>
  saveBalance(id: number, balance: string): Promise<void>
  /** Changes the row as it stands then; nobody else changes it meanwhile. Undefined: nothing is to change. */
  change<T>(id: number, work: (row: Row) => Changed<T>): Promise<T>
}

export interface Changed<T> {
  readonly changes?: RowChanges
  readonly result: T
}

const columns = [
  'id',
  'name',
  'models',
  'model_mapping',
  'settings',
  'test_model',
  'multi_key_mode',
]

/** More than anyone has. */
const rowsMax = 100_000

export function channelRows({
  database: { knex },
  changes,
}: {
  readonly database: Database
  readonly changes: Changes
}): Rows {
  async function write<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
    const done = await knex.transaction(work)
    await changes.settled()
    return done
  }

  return {
    async get(id) {
      return found(await knex('channels').where({ id }).first<Row | undefined>(columns))
    },
    all: () => knex('channels').select<Row[]>(columns).orderBy('id').limit(rowsMax),
    saveBalance: (id, balance) =>
      write(async (trx) => {
        await locked(trx, id)
        await trx('channels')
          .where({ id })
          .update({ balance, balance_updated_at: trx.raw('now()') })
        await changes.note(trx, 'channels', id)
      }),
    change: (id, work) =>
      write(async (trx) => {
        const { changes: made, result } = work(await locked(trx, id))
        if (made === undefined) return result
        await trx('channels').where({ id }).update(columnsOf(made, trx))
        await changes.note(trx, 'channels', id)
        return result
      }),
  }
}

function columnsOf({ models, settings }: RowChanges, trx: Knex.Transaction) {
  return {
    ...(models !== undefined && { models }),
    ...(settings !== undefined && {
      settings: trx.raw('settings || ?::jsonb', [JSON.stringify(settings)]),
    }),
  }
}

async function locked(trx: Knex.Transaction, id: number): Promise<Row> {
  return found(await trx('channels').where({ id }).forUpdate().first<Row | undefined>(columns))
}

function found(row: Row | undefined): Row {
  if (row === undefined) throw new Refusal('gone_missing', { what: 'channel', param: 'id' })
  return row
}

/** New rows of channels. Their ids are drawn first: what is sealed is bound to the id of its channel. */
import type { Knex } from 'knex'
import type { Columns } from './columns.js'

export async function drawIds(trx: Knex.Transaction, count: number): Promise<readonly number[]> {
  const { rows }: { readonly rows: readonly { readonly id: bigint }[] } = await trx.raw(
    `SELECT nextval(pg_get_serial_sequence('channels', 'id')) AS id FROM generate_series(1, ?::int)`,
    [count],
  )
  return rows.map((row) => Number(row.id))
}

/** Rows of one make: each has the same columns, what none of them names has its default. */
export async function insertChannels(
  trx: Knex.Transaction,
  rows: readonly (Columns & { readonly id: number })[],
): Promise<void> {
  const names = Object.keys(rows[0] ?? {})
  const list = names.map(() => '??').join(', ')
  await trx.raw(
    `INSERT INTO channels (${list}) OVERRIDING SYSTEM VALUE
     SELECT ${list} FROM jsonb_populate_recordset(NULL::channels, ?::jsonb)`,
    [...names, ...names, JSON.stringify(rows)],
  )
}

/** The book itself, newest first: of one request, of one user's accounts, or all of it. */
import type { Knex } from 'knex'
import type { Entry, EntryQuery, EntrySide, PageOf } from './ledger.js'

/** Entries that are counted, and that pages reach. */
const entriesMax = 10_000

const newest = `ORDER BY id DESC LIMIT ${entriesMax}`

export async function entriesPage(knex: Knex, query: EntryQuery): Promise<PageOf<Entry>> {
  const { sql, values } = found(query)
  const counted = await knex.raw(`SELECT count(*) AS total FROM (${sql}) found`, values)
  const total = Number(counted.rows[0].total)
  const offset = (query.page - 1) * query.pageSize
  if (offset >= total) return { items: [], total }
  const { rows } = await knex.raw(
    `SELECT t.*, t.ref ->> 'note' AS note, ${side('d')} AS debit, ${side('c')} AS credit
     FROM (SELECT id FROM (${sql}) found ORDER BY id DESC OFFSET ? LIMIT ?) page
     JOIN transfers t USING (id)
     ${joined('d', 'debit_account')} ${joined('c', 'credit_account')}
     ORDER BY t.id DESC`,
    [...values, offset, query.pageSize],
  )
  return { items: rows.map(entryOf), total }
}

interface Found {
  readonly sql: string
  readonly values: (string | number)[]
}

/** Ids, each branch along an index of its own. A settlement is found by its key: charging keeps no index of requests. */
function found({ requestId, userId }: EntryQuery): Found {
  if (requestId !== undefined) {
    return {
      sql: `SELECT id FROM (
        SELECT id FROM transfers WHERE idem_key = 'settle:' || ?::text
        UNION ALL SELECT id FROM transfers WHERE request_id = ? AND kind <> 'settle'
      ) either ${newest}`,
      values: [requestId, requestId],
    }
  }
  if (userId !== undefined) {
    return {
      sql: `SELECT e.id FROM accounts a CROSS JOIN LATERAL (
        (SELECT id FROM transfers WHERE debit_account = a.id ${newest})
        UNION ALL
        (SELECT id FROM transfers WHERE credit_account = a.id AND credit_account <> -1 ${newest})
      ) e WHERE a.owner_id = ? AND a.kind IN ('wallet', 'subscription_period') ${newest}`,
      values: [userId],
    }
  }
  return { sql: `SELECT id FROM transfers ${newest}`, values: [] }
}

function joined(alias: string, column: string): string {
  return `LEFT JOIN accounts ${alias} ON ${alias}.id = t.${column}
     LEFT JOIN users ${alias}u ON ${alias}u.id = ${alias}.owner_id`
}

/** Accounts of the gateway are called by what they are for. */
function side(alias: string): string {
  return `jsonb_build_object('kind', coalesce(${alias}.kind::text, ''),
       'userId', coalesce(${alias}.owner_id, 0),
       'name', coalesce(${alias}u.username, ${alias}.period_key, ''))`
}

interface EntryRow {
  readonly id: bigint
  readonly kind: string
  readonly amount: bigint
  readonly request_id: string
  readonly created_at: Date
  readonly note: string | null
  readonly debit_account: number
  readonly credit_account: number
  readonly debit: Omit<EntrySide, 'accountId'>
  readonly credit: Omit<EntrySide, 'accountId'>
}

function entryOf(row: EntryRow): Entry {
  return {
    id: row.id,
    kind: row.kind,
    amount: row.amount,
    requestId: row.request_id,
    createdAt: row.created_at,
    note: row.note ?? '',
    debit: { accountId: row.debit_account, ...row.debit },
    credit: { accountId: row.credit_account, ...row.credit },
  }
}

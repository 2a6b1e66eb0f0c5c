/** Names of a column that match a pattern, where many rows share few names. */
import type { Knex } from 'knex'

/** Names that are looked through, each by a step of the column's index. */
const namesMax = 5_000

/**
 * Looks through the names, not the rows. Undefined: there are too many of them for that. The column has an index that begins
 * with it; table and column are the program's own words.
 */
export async function namesLike(
  knex: Knex,
  { table, column }: { readonly table: string; readonly column: string },
  pattern: string,
): Promise<readonly string[] | undefined> {
  const { rows } = await knex.raw(
    `WITH RECURSIVE every AS (
       (SELECT ${column} AS one FROM ${table} ORDER BY ${column} LIMIT 1)
       UNION ALL
       SELECT (SELECT t.${column} FROM ${table} t WHERE t.${column} > every.one ORDER BY t.${column} LIMIT 1)
       FROM every WHERE every.one IS NOT NULL
     ),
     looked AS MATERIALIZED (SELECT one FROM every WHERE one IS NOT NULL LIMIT ${namesMax + 1})
     SELECT (SELECT count(*) FROM looked)::integer AS names,
       array(SELECT one FROM looked WHERE one ILIKE ?) AS found`,
    [pattern],
  )
  const [{ names, found }] = rows
  return names > namesMax ? undefined : found
}

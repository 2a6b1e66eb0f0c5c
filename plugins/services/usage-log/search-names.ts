/** Names that match a keyword, and the newest rows that bear one of them. */
import { type Condition, joined, sql } from './condition.js'
import type { Read } from './snapshot.js'

export interface Names {
  readonly models: readonly string[]
  readonly users: readonly number[]
  /** Each with its user. */
  readonly tokens: readonly { readonly name: string; readonly id: number }[]
}

/** Names that are looked through, those used last. */
const lookedThrough = 20_000
/** Names that are taken of those that begin with the keyword. */
const beginningMax = 1_000
/** The newest hundred rows bear the names of at most as many: three each. */
const namesMax = 300

/** @param like what holds the keyword; @param prefix what begins with it */
export async function matchingNames(read: Read, like: string, prefix: string): Promise<Names> {
  const found = await read(
    sql(
      `SELECT kind, name, id FROM (
         ${ofKind('model')} UNION ${ofKind('token')} UNION ${ofUsers}
       ) name ORDER BY last_at DESC LIMIT ${namesMax}`,
      ...[like, prefix, like, prefix, like, prefix],
    ),
  )
  const of = (kind: string) => found.filter((row) => row.kind === kind)
  return {
    models: of('model').map(({ name }) => name),
    users: of('user').map(({ id }) => id),
    tokens: of('token'),
  }
}

/** Models that were used, with the word in their names: among those looked through, the last used first. */
export async function modelsLike(
  read: Read,
  like: string,
  most: number,
): Promise<readonly string[]> {
  const found = await read(
    sql(
      `SELECT name FROM (${used('model')}) used WHERE name ILIKE ? ORDER BY last_at DESC LIMIT ${most}`,
      like,
    ),
  )
  return found.map(({ name }) => name)
}

const used = (kind: string) => `
  SELECT name, id, last_at FROM usage_keys WHERE kind = '${kind}'
  ORDER BY last_day DESC LIMIT ${lookedThrough}`

const ofKind = (kind: 'model' | 'token') => `
  SELECT '${kind}' AS kind, name, id, last_at FROM (${used(kind)}) used WHERE name ILIKE ?
  UNION SELECT * FROM (
    SELECT '${kind}', name, id, last_at FROM usage_keys
    WHERE kind = '${kind}' AND lower(name) LIKE lower(?) LIMIT ${beginningMax}) beginning`

const ofUsers = `
  SELECT 'user', '', used.id, last_at FROM (${used('user')}) used JOIN users u ON u.id = used.id
  WHERE username ILIKE ?
  UNION SELECT 'user', '', k.id, last_at FROM (
    SELECT id FROM users WHERE lower(username) LIKE lower(?) LIMIT ${beginningMax}) u
  JOIN usage_keys k ON k.kind = 'user' AND k.name = '' AND k.id = u.id`

/**
 * The times of the newest rows come first, from the indexes alone; then the rows. The name of an API key is compared along the
 * index of its user: many have the same. A row comes once for each of its names.
 */
export async function newestOfNames(
  read: Read,
  names: Names,
  rowsMax: number,
): Promise<readonly Condition[]> {
  const times = joined(
    waysOf(names, `SELECT created_at FROM usage_log WHERE`, 'true', rowsMax),
    ' UNION ALL ',
  )
  if (times.sql === '') return []
  const [found] = await read({
    sql: `SELECT min(created_at)::text AS oldest FROM (
        SELECT created_at FROM (${times.sql}) time ORDER BY created_at DESC LIMIT ${3 * rowsMax}
      ) newest`,
    values: times.values,
  })
  if (found.oldest === null) return []
  const rows = `SELECT created_at, request_id FROM usage_log WHERE`
  return waysOf(names, rows, sql('created_at >= ?::timestamptz', found.oldest), rowsMax)
}

function waysOf(
  { models, users, tokens }: Names,
  select: string,
  where: Condition | 'true',
  rowsMax: number,
): readonly Condition[] {
  const since = where === 'true' ? sql('true') : where
  const newest = `AND ${since.sql} ORDER BY created_at DESC LIMIT ${rowsMax}`
  const way = (names: string, condition: string, ...values: Condition['values']): Condition => ({
    sql: `(SELECT row.* FROM unnest(${names} CROSS JOIN LATERAL (${select} ${condition} ${newest}) row)`,
    values: [...values, ...since.values],
  })
  return [
    ...(models.length > 0
      ? [way('?::text[]) AS n (name)', 'model_name = n.name', [...models])]
      : []),
    ...(users.length > 0 ? [way('?::integer[]) AS n (id)', 'user_id = n.id', [...users])] : []),
    ...(tokens.length > 0
      ? [
          way(
            '?::integer[], ?::text[]) AS n (id, name)',
            "user_id = n.id AND token_name || '' = n.name",
            tokens.map(({ id }) => id),
            tokens.map(({ name }) => name),
          ),
        ]
      : []),
  ]
}

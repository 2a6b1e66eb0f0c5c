/**
 * How a filtered list reads the log: as a few ordered branches, one per user or model, each along an index of its own,
 * or as one. Patterns and names are looked up among the distinct ones first, never along the rows (P13).
 */
import { containing, literal } from '../../../kernel/toolkit/service/index.js'
import { always, and, type Condition, sql } from './condition.js'
import type { Read } from './snapshot.js'
import type { LogFilter } from './usage-log.js'

/** Rows of any branch that meet `rest`. No row is in two branches; no branch: no row can match. */
export interface Drivers {
  readonly branches: readonly Condition[]
  /** The conjunction of all branches. */
  readonly either: Condition
  readonly rest: Condition
}

/** More branches than this take longer to plan than the one scan they replace. */
const branchesMax = 256

/** What the sums do not hold yet. */
export const unrolled = 'created_at >= (SELECT rolled_until FROM usage_mark)'

const nothing: Drivers = { branches: [], either: always, rest: always }

export async function driversOf(read: Read, filter: LogFilter): Promise<Drivers> {
  const users = await usersOf(read, filter)
  const models = await modelsOf(read, filter.model)
  if (users?.length === 0 || models?.names?.length === 0) return nothing
  const rest = ownConditions(filter)
  const restByModel = and(rest, modelCondition(models))
  if (users !== undefined) return byUser(users, restByModel)
  if (filter.tokenName !== undefined) {
    const branch = sql('token_name = ?', filter.tokenName)
    return { branches: [branch], either: branch, rest: restByModel }
  }
  if (models?.names === undefined || isNarrow(filter)) {
    return { branches: [always], either: always, rest: restByModel }
  }
  const branches = models.names.map((name) => sql('model_name = ?', name))
  return { branches, either: modelCondition(models), rest }
}

function byUser(ids: readonly number[], rest: Condition): Drivers {
  const branches = ids.map((id) => sql('user_id = ?', id))
  return { branches, either: sql('user_id = ANY (?::integer[])', [...ids]), rest }
}

/** Something else leads to the rows by an index of its own; charges are no such thing, being most of the log. */
function isNarrow({ channelId, group, requestId, errorCode, type }: LogFilter): boolean {
  return (
    [channelId, group, requestId, errorCode].some(isGiven) ||
    (type !== undefined && type !== charge)
  )
}

const charge = 2

function isGiven(value: unknown): boolean {
  return value !== undefined
}

/** What a row itself shows, without names to look up. */
function ownConditions(filter: LogFilter): Condition {
  const exact = {
    type: filter.type,
    token_name: filter.tokenName,
    channel_id: filter.channelId,
    group_name: filter.group,
    request_id: filter.requestId,
  }
  const parts: Condition[] = [always, ...spanConditions(filter)]
  for (const [column, value] of Object.entries(exact)) {
    if (value !== undefined) parts.push(sql(`${column} = ?`, value))
  }
  if (filter.errorCode !== undefined) {
    parts.push(sql(`type = 5 AND coalesce(detail ->> 'error_code', '') = ?`, filter.errorCode))
  }
  return and(...parts)
}

function spanConditions({ from, to }: LogFilter): readonly Condition[] {
  return [
    ...(from === undefined ? [] : [sql('created_at >= ?', new Date(from * 1000))]),
    ...(to === undefined ? [] : [sql('created_at < ?', new Date((to + 1) * 1000))]),
  ]
}

/** Undefined: anybody. By way of the id, which has an index; the name as logged has none. */
export async function usersOf(
  read: Read,
  { userId, username }: Pick<LogFilter, 'userId' | 'username'>,
): Promise<readonly number[] | undefined> {
  if (username === undefined) return userId === undefined ? undefined : [userId]
  const found = await read(
    sql(
      `SELECT id FROM users WHERE lower(username) = lower(?) ORDER BY id DESC LIMIT ${branchesMax}`,
      username,
    ),
  )
  const ids: readonly number[] = found.map((row) => row.id)
  return userId === undefined ? ids : ids.filter((id) => id === userId)
}

/** Either the names that match, or the pattern where they are too many to name. */
export interface Models {
  readonly names?: readonly string[]
  readonly like: string
}

/** Undefined: any model. */
export async function modelsOf(read: Read, text: string | undefined): Promise<Models | undefined> {
  if (text === undefined || text === '%' || text === '%%') return undefined
  const like = patternOf(text)
  if (like === undefined) return { names: [text], like: literal(text) }
  const found = await read(
    sql(
      `SELECT name FROM usage_keys WHERE kind = 'model' AND name LIKE ?
       UNION SELECT model_name FROM usage_log WHERE ${unrolled} AND model_name LIKE ?
       LIMIT ${branchesMax + 1}`,
      like,
      like,
    ),
  )
  const names: readonly string[] = found.map((row) => row.name)
  return names.length > branchesMax ? { like } : { names, like }
}

/** Undefined: the text is the name. */
function patternOf(text: string): string | undefined {
  if (!text.endsWith('%')) return undefined
  return text.startsWith('%') ? containing(text.slice(1, -1)) : `${literal(text.slice(0, -1))}%`
}

export function modelCondition(models: Models | undefined): Condition {
  if (models === undefined) return always
  const { names, like } = models
  return names === undefined
    ? sql('model_name LIKE ?', like)
    : sql('model_name = ANY (?::text[])', [...names])
}

/** Pieces of SQL with the values they bind, and how they are put together. Texts of users are only ever values. */

export interface Condition {
  readonly sql: string
  readonly values: readonly Bound[]
}

export type Bound = string | number | Date | null | string[] | number[]

export const always: Condition = { sql: 'true', values: [] }

export function sql(text: string, ...values: readonly Bound[]): Condition {
  return { sql: text, values }
}

export function and(...parts: readonly Condition[]): Condition {
  return joined(parts, ' AND ')
}

export function or(...parts: readonly Condition[]): Condition {
  const { sql, values } = joined(parts, ' OR ')
  return { sql: `(${sql})`, values }
}

export function joined(parts: readonly Condition[], between: string): Condition {
  return {
    sql: parts.map((part) => part.sql).join(between),
    values: parts.flatMap((part) => part.values),
  }
}

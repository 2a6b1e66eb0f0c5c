/**
 * How values come out of the database, the same from every pool and both databases: int8 as `bigint`, numeric as
 * `string`, timestamptz as `Date`. Set per connection, never globally.
 */
import pg from 'pg'

const int8 = 20
const int8Array: number = 1016

type Parse = (value: string) => unknown

const listOf: Parse = pg.types.getTypeParser(int8Array)

export const valueTypes = {
  getTypeParser(id: number, format = 'text'): Parse {
    if (format === 'binary') return pg.types.getTypeParser(id, 'binary')
    if (id === int8) return BigInt
    if (id === int8Array) return bigintList
    return pg.types.getTypeParser(id, 'text')
  },
}

function bigintList(value: string): unknown {
  return bigints(listOf(value))
}

function bigints(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bigints)
  return typeof value === 'string' ? BigInt(value) : value
}

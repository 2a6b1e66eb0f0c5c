/** The table `access_tokens`: what of a row is read, and what its owner sees of it. */
import type { AccessTokenView } from './identity.js'

export interface Row {
  readonly id: number
  readonly name: string
  readonly scopes: readonly string[]
  readonly created_at: Date
  readonly expires_at: Date
  readonly last_used_at: Date | null
  readonly last_used_address: string
  readonly daily_credit: bigint | number | string | null
}

export const columns = [
  'id',
  'name',
  'scopes',
  'created_at',
  'expires_at',
  'last_used_at',
  'last_used_address',
  'daily_credit',
] as const satisfies readonly (keyof Row)[]

export function viewOf(row: Row, now: number): AccessTokenView {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    created_at: seconds(row.created_at),
    expires_at: seconds(row.expires_at),
    last_used_at: row.last_used_at === null ? 0 : seconds(row.last_used_at),
    last_used_address: row.last_used_address,
    expired: row.expires_at.getTime() <= now,
    daily_credit: BigInt(row.daily_credit ?? 0),
  }
}

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}

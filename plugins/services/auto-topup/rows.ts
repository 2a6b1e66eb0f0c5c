/** Rows of `auto_topups`, and the month that counts. */
import type { Knex } from 'knex'
import type { AutoTopupSettings } from './auto-topup.js'

export interface AutoTopupRow {
  readonly user_id: number
  readonly is_on: boolean
  readonly gateway: string
  readonly mandate_id: number
  readonly below: bigint
  readonly amount: number
  readonly monthly_cap: number
  readonly order_no: string | null
  readonly failures: number
  readonly refusal: string
  readonly paused_until: Date | null
  readonly updated_at: Date
}

export function rowsOf(knex: Knex): Knex.QueryBuilder<AutoTopupRow, AutoTopupRow[]> {
  return knex<AutoTopupRow>('auto_topups')
}

export function settingsOf(row: AutoTopupRow): AutoTopupSettings & { readonly gateway: string } {
  const { is_on, below, amount, monthly_cap, gateway } = row
  return { isOn: is_on, below: BigInt(below), amount, monthlyCap: monthly_cap, gateway }
}

/** The first moment of a calendar month of UTC. */
export function monthOf(now: number): Date {
  const at = new Date(now)
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1))
}

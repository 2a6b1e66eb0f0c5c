/** The check of the whole book: every invariant, all over one snapshot. */
import type { DedicatedQuery } from '../../../kernel/contract/services/database.js'
import { type Invariant, invariants } from './invariants.js'
import type { Breach } from './ledger.js'

/** A breach, and the account it stands against where there is one. */
export interface Finding extends Breach {
  readonly accountId?: number
}

/** Of each invariant: enough to see what is wrong. */
export const findingsMax = 100

/** Breaches of these stop the account, not the service. */
export const blocking: ReadonlySet<string> = new Set(['I1', 'I2', 'I3', 'I4'])

/** Returns nothing where all hold. */
export async function findBreaches(query: DedicatedQuery): Promise<readonly Finding[]> {
  await query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  try {
    const findings: Finding[] = []
    for (const invariant of invariants) findings.push(...(await breachesOf(query, invariant)))
    return findings
  } finally {
    await query('ROLLBACK').catch(() => undefined)
  }
}

export async function breachesOf(
  query: DedicatedQuery,
  { id, sql }: Invariant,
  values: readonly unknown[] = [],
): Promise<readonly Finding[]> {
  const { rows } = await query(`SELECT * FROM (${sql}) breach LIMIT ${findingsMax}`, values)
  return findingsOf(id, rows)
}

export function findingsOf(invariant: string, rows: readonly FoundRow[]): readonly Finding[] {
  return rows.map(({ account_id, finding }) => ({
    invariant,
    finding,
    accountId: account_id ?? undefined,
  }))
}

export interface FoundRow {
  readonly account_id: number | null
  readonly finding: string
}

/** The check of the invariants, all over one snapshot. */
import type { Knex } from 'knex'
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

/** Empty answer: all hold. */
export async function findBreaches(knex: Knex): Promise<readonly Finding[]> {
  return knex.transaction(
    async (trx) => {
      await trx.raw(`SET LOCAL statement_timeout = '10min'`)
      const findings: Finding[] = []
      for (const invariant of invariants) findings.push(...(await breachesOf(invariant, trx)))
      return findings
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  )
}

async function breachesOf({ id, sql }: Invariant, trx: Knex): Promise<readonly Finding[]> {
  const { rows } = await trx.raw(`SELECT * FROM (${sql}) breach LIMIT ${findingsMax}`)
  const found: readonly FoundRow[] = rows
  return found.map(({ account_id, finding }) => ({
    invariant: id,
    finding,
    accountId: account_id ?? undefined,
  }))
}

interface FoundRow {
  readonly account_id: number | null
  readonly finding: string
}

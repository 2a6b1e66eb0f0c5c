/**
 * `waybill ledger check`: every invariant of the ledger over the whole book, in one snapshot. Exit status 1 when one is
 * broken. Interrupted, it ends in the database too.
 */
import type { Log } from '../../kernel/contract/kit.js'
import { openDatabase } from '../../kernel/store/database.js'
import { findBreaches } from '../../plugins/services/ledger/check.js'
import { readEnvironment } from '../environment.js'

const quiet: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (fields, message) => console.error(message, fields),
}

export const usage = `Usage: waybill ledger check

Reads the database that DATABASE_URL or DATA_DIR names and checks every invariant of the books in one snapshot. The gateway
may run meanwhile on PostgreSQL; the embedded database is for one process at a time.`

export async function run(): Promise<number> {
  const { databaseUrl, dataDir } = readEnvironment().environment
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => interrupted.abort(new Error(`ended by ${signal}`)))
  }
  const database = await openDatabase({ databaseUrl, dataDir, log: quiet })
  try {
    const breaches = await database.dedicated(findBreaches, interrupted.signal)
    for (const { invariant, finding } of breaches) console.log(`${invariant} ${finding}`)
    if (breaches.length > 0) return 1
    const { rows } = await database.dedicated((query) =>
      query(
        `SELECT (SELECT count(*) FROM accounts WHERE id > 0) AS accounts, count(*) AS requests
         FROM billing_requests`,
      ),
    )
    const { accounts, requests } = rows[0]
    console.log(`ledger: all invariants hold (${accounts} accounts, ${requests} requests)`)
    return 0
  } finally {
    await database.close()
  }
}

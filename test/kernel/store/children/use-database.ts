/**
 * A process that opens the embedded database in the directory given, states `open`, and writes rows until it is ended;
 * states each number once it is committed. Where it cannot open it, it states why.
 */
import { DataDirectoryInUse } from '../../../../kernel/store/data-directory-lock.js'
import { openDatabase } from '../../../../kernel/store/database.js'
import { silentLog } from '../../../kit/database.js'

try {
  const { knex } = await openDatabase({ dataDir: process.argv[2] ?? '', log: silentLog })
  await knex.raw('CREATE TABLE IF NOT EXISTS written (n int PRIMARY KEY)')
  say('open')
  for (let n = 0; ; n += 1) {
    await knex.transaction(async (trx) => {
      await trx('written').insert({ n })
      await trx.raw('SELECT 1')
    })
    say(String(n))
  }
} catch (error) {
  say(error instanceof DataDirectoryInUse ? `in use: ${error.message}` : `failed: ${error}`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** What makes a start short: compiled modules that are kept, and a database that is migrated already and opens early. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { join } from 'node:path'
import t from 'tap'
import { emptyInstallation, startProcess, type Variables } from '../kit/process.js'

t.setTimeout(360_000)

t.test(
  'a fresh directory gets a migrated database, which a start that fails gives free',
  async (t) => {
    // Without DATABASE_URL, so on the embedded database, whatever the suite runs on.
    const variables: Variables = { ...(await emptyInstallation(t)), LOG_LEVEL: 'info' }
    const dataDir = variables.DATA_DIR!
    const missing = join(dataDir, 'none.pem')
    await t.rejects(startProcess(t, { ...variables, TLS_CERT: missing, TLS_KEY: missing }))
    t.ok(existsSync(join(dataDir, 'pglite')))
    t.notOk(existsSync(join(dataDir, 'waybill.lock')))

    const here = await startProcess(t, variables)
    t.equal((await fetch(`${here.url}/health/ready`)).status, 200)
    const { output, code } = await here.end('SIGTERM')
    t.equal(code, 0)
    t.notMatch(output, 'database migrated')
    t.equal(statSync(dataDir).mode & 0o077, 0, 'for nobody else')
    const kept = join(dataDir, 'compiled')
    const isKept = existsSync(kept) && readdirSync(kept).length > 0
    t.equal(isKept, 'enableCompileCache' in nodeModule, process.version)
  },
)

/** What makes a start short: compiled modules that are kept, and a database that is migrated already. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { join } from 'node:path'
import t from 'tap'
import { emptyInstallation, startProcess, type Variables } from '../kit/process.js'

t.setTimeout(360_000)

t.test(
  'a fresh directory gets a database with every migration applied, and what was compiled is kept there',
  async (t) => {
    // Without DATABASE_URL, so on the embedded database, whatever the suite runs on.
    const variables: Variables = { ...(await emptyInstallation(t)), LOG_LEVEL: 'info' }
    const first = await startProcess(t, variables)
    t.equal((await fetch(`${first.url}/health/ready`)).status, 200)
    const { output, code } = await first.end('SIGTERM')
    t.equal(code, 0)
    t.notMatch(output, 'database migrated')
    const compiled = join(variables.DATA_DIR!, 'compiled')
    const isKept = 'enableCompileCache' in nodeModule
    t.equal(existsSync(compiled) && readdirSync(compiled).length > 0, isKept, process.version)
    t.equal(statSync(variables.DATA_DIR!).mode & 0o077, 0, 'for nobody else')

    const second = await startProcess(t, variables)
    t.equal((await fetch(`${second.url}/health/ready`)).status, 200)
    t.equal((await second.end('SIGTERM')).code, 0)
  },
)

t.test(
  'an embedded database that is in use is one sentence, and the other gateway goes on',
  async (t) => {
    const variables = await emptyInstallation(t)
    const first = await startProcess(t, variables)
    await t.rejects(startProcess(t, variables), { message: /in use|another process/i })
    t.equal((await fetch(`${first.url}/health/ready`)).status, 200)
    await first.end('SIGTERM')
  },
)

t.test(
  'a start that fails after the embedded database was opened gives its directory free',
  async (t) => {
    const variables = await emptyInstallation(t)
    const missing = join(variables.DATA_DIR!, 'none.pem')
    await t.rejects(startProcess(t, { ...variables, TLS_CERT: missing, TLS_KEY: missing }))
    t.notOk(existsSync(join(variables.DATA_DIR!, 'waybill.lock')))
    const next = await startProcess(t, variables)
    await next.end('SIGTERM')
  },
)

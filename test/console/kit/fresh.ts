/** A gateway nobody has set up yet, and a browser at its door. After the test the books must add up. */
import type { Test } from 'tap'
import { builtInRoots, consolePages } from '../../../config/built-in.js'
import { boot } from '../../../kernel/boot.js'
import { order } from '../../../plugins/stages/line.js'
import { testDatabase } from '../../kit/database.js'
import { quietLog } from '../../kit/fakes.js'
import { defaultEnvironment, type TestGateway } from '../../kit/gateway.js'
import { management } from '../../kit/management.js'
import { type Console, type ConsoleOptions, consoleOf, hearComplaints, launch } from './browser.js'

export async function openFreshConsole(t: Test, options: ConsoleOptions = {}): Promise<Console> {
  hearComplaints(t)
  const gateway = await boot({
    environment: { ...defaultEnvironment, ...options.environment },
    roots: builtInRoots,
    order,
    log: quietLog,
    version: 'v0.0.0',
    pages: consolePages,
    database: await testDatabase(t),
  })
  t.teardown(async () => {
    await gateway.idle()
    const breaches = await gateway.service('ledger').check()
    await gateway.stop()
    if (breaches.length > 0) throw new Error(`the books do not add up: ${JSON.stringify(breaches)}`)
  })
  const url = gateway.address
  const nobody = { url, admin: management(url), gateway } as unknown as TestGateway
  const browser = await launch(options.host)
  t.teardown(() => browser.close())
  return consoleOf(t, browser, nobody, { ...options, signedIn: false })
}

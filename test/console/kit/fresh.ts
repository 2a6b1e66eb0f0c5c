/** A gateway nobody has set up yet, and a browser at its door. After the test the books must add up. */
import type { Test } from 'tap'
import { consolePages } from '../../../config/built-in.js'
import { bootGateway, type TestGateway } from '../../kit/gateway.js'
import { management } from '../../kit/management.js'
import { type Console, type ConsoleOptions, consoleOf, hearComplaints, launch } from './browser.js'

export async function openFreshConsole(t: Test, options: ConsoleOptions = {}): Promise<Console> {
  hearComplaints(t)
  const gateway = await bootGateway(t, { ...options, pages: consolePages })
  const url = gateway.address
  const nobody = { url, admin: management(url), gateway } as unknown as TestGateway
  const browser = await launch(options.host)
  t.teardown(() => browser.close())
  return consoleOf(t, browser, nobody, { ...options, signedIn: false })
}

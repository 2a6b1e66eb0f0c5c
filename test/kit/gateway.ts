/**
 * A whole gateway in process, as `npm start` boots it: real HTTP, real plugins, a database of its own. After the test
 * the books must add up and nothing may be left open.
 */

import type { Test as TapTest } from 'tap'
import { builtInRoots } from '../../config/built-in.js'
import { core } from '../../config/core.js'
import { boot, type Gateway } from '../../kernel/boot.js'
import type { Clock, Log } from '../../kernel/contract/kit.js'
import type { Environment } from '../../kernel/contract/services/system.js'
import type { OpenDatabase } from '../../kernel/store/database.js'
import { order } from '../../plugins/stages/line.js'
import { defaultEnvironment, noRateLimits } from '../testing/environment.js'
import { testDatabase } from './database.js'
import { quietLog } from './fakes.js'
import { knowSetupCode, type Management, management } from './management.js'
import { holdResponses } from './responses.js'

export interface TestGateway {
  readonly url: string
  readonly admin: Management
  /** Key of an unlimited token of root, who has funds. */
  readonly key: string
  readonly gateway: Gateway
  /** Rows of the usage log, newest first, once everything so far is settled. */
  logs(): Promise<readonly LogRow[]>
  /** Balance of root once everything so far is settled. */
  balance(): Promise<bigint>
  /** POSTs a chat completion with the test key. */
  chat(body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>
}

export interface LogRow {
  readonly request_id: string
  readonly type: number
  readonly quota: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly model_name: string
  readonly channel: number
  readonly group: string
  readonly is_stream: boolean
  readonly other: string
}

export interface TestGatewayOptions {
  readonly environment?: Partial<Environment>
  /** Quota root starts with; default 10,000,000. */
  readonly funds?: number
  /** Absent: the system's. */
  readonly clock?: Clock
  /** Folder of the console's pages. Absent: there are none. */
  readonly pages?: URL
  /** Puts something between the gateway and its database, such as an outage. */
  readonly wrap?: (database: OpenDatabase) => OpenDatabase
  /** Absent: nothing is logged. */
  readonly log?: Log
  /** Folders of plugins besides the built-in ones. */
  readonly roots?: readonly URL[]
}

type Test = Pick<TapTest, 'teardown'>

export { defaultEnvironment, noRateLimits }

/** A gateway nobody has set up yet. After the test its books must add up. */
export async function bootGateway(t: Test, options: TestGatewayOptions = {}): Promise<Gateway> {
  const opened = await testDatabase(t)
  const database = options.wrap?.(opened) ?? opened
  const gateway = await boot({
    environment: { ...defaultEnvironment, ...options.environment },
    roots: [...builtInRoots, ...(options.roots ?? [])],
    order,
    core,
    log: options.log ?? quietLog,
    version: 'v0.0.0',
    clock: options.clock,
    pages: options.pages,
    database,
  })
  knowSetupCode(gateway.address, gateway.service('setup').code())
  holdResponses(gateway.address, gateway.service('catalog'))
  t.teardown(async () => {
    await checkBooks(gateway)
    await gateway.stop()
  })
  return gateway
}

/** Fails the test file where the books do not add up, once everything so far is settled. */
export async function checkBooks(gateway: Gateway): Promise<void> {
  await gateway.idle()
  const breaches = await gateway.service('ledger').check()
  if (breaches.length === 0) return
  // An error would keep other teardowns from running, and with them the process from ending.
  console.error(`the books do not add up: ${JSON.stringify(breaches.slice(0, 5))}`)
  process.exitCode = 1
}

export async function startGateway(
  t: Test,
  options: TestGatewayOptions = {},
): Promise<TestGateway> {
  const gateway = await bootGateway(t, options)
  const url = gateway.address
  const admin = management(url)
  await admin.setUp()
  const funds = options.funds ?? 10_000_000
  if (funds > 0) await admin.credit(1, funds)
  const { key } = await admin.token()
  return {
    url,
    admin,
    key,
    gateway,
    async logs() {
      await gateway.idle()
      return (await admin.must('GET', '/api/log/?type=2&page_size=100')).items
    },
    async balance() {
      await gateway.idle()
      return admin.balance()
    },
    chat: (body, headers = {}) =>
      fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  }
}

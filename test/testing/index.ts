/**
 * A gateway for tests of plugins, as authors import it: `waybill/testing`. It is a real one, in the process of the test: the line,
 * the books and the management API are those that operators run, on an embedded database of its own. Any test runner will do.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtInRoots } from '../../config/built-in.js'
import { core } from '../../config/core.js'
import { programVersion } from '../../config/version.js'
import { boot, type Gateway } from '../../kernel/boot.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { Log } from '../../kernel/contract/kit.js'
import type { Environment } from '../../kernel/contract/services/system.js'
import { order } from '../../plugins/stages/line.js'
import { defaultEnvironment } from './environment.js'
import { knowSetupCode, type Management, management } from './management.js'
import { priceModels } from './prices.js'
import { type Script, startUpstream, type TestUpstream } from './upstream.js'

export type { Management } from './management.js'
export { json, type Recorded, type Script, type TestUpstream } from './upstream.js'

export interface TestGatewayOptions {
  /** Plugins as `PLUGINS` names them: packages, or folders that begin with `.` or are whole paths. */
  readonly plugins?: readonly string[]
  /** In place of some of the usual configuration. */
  readonly environment?: Partial<Environment>
  /** Quota of root's wallet; default 10,000,000, which is 20 US dollars. */
  readonly funds?: number
  /** Absent: nothing is logged. */
  readonly log?: Log
}

export interface TestChannel {
  /** A type as `<plugin>/<name>`, such as `acme/acme`, or its number. */
  readonly type: string | number
  readonly baseUrl: string
  /** Default: `upstream-key`. */
  readonly key?: string
  /** Models without a price get one, so that they can be called. */
  readonly models: readonly string[]
  /** Values of the plugin's `channelSettings`. */
  readonly settings?: JsonObject
}

export interface TestGateway {
  /** Origin it listens at. */
  readonly url: string
  /** The management API with root's session. */
  readonly admin: Management
  /** Creates a channel of the group `default`, and returns its id. */
  addChannel(channel: TestChannel): Promise<number>
  /** Key of root's token without a limit; the same each time. */
  key(): Promise<string>
  /**
   * Calls the management API with root's session. Resolves with `data` of the response; rejects with the gateway's sentence where it
   * is no success.
   */
  // biome-ignore lint/suspicious/noExplicitAny: responses differ by route; tests look into the members they name.
  request(method: string, path: string, body?: unknown): Promise<any>
  /** Calls any path as a client does, with the key. A `body` that is no text is sent as JSON. */
  send(method: string, path: string, body?: unknown): Promise<Response>
  /** Sends a chat completion with the key. */
  chat(body: JsonObject): Promise<Response>
  /** Options by their keys; objects are stored as JSON. */
  setOptions(values: JsonObject): Promise<void>
  /** Starts an HTTP server on a free port, which `close` ends as well. */
  upstream(script: Script): Promise<TestUpstream>
  /** Root's wallet in quota, once everything so far is settled. */
  balance(): Promise<bigint>
  /** Polls every media task that has not ended, at once. */
  pollTasks(): Promise<void>
  /** Ends what is open, and removes its database. Rejects where the books do not add up. */
  close(): Promise<void>
}

/** Rejects with a sentence where a plugin is not found, is not sound or fails to start. */
export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const dataDir = await mkdtemp(join(tmpdir(), 'waybill-test-'))
  const remove = () => rm(dataDir, { recursive: true, force: true })
  const gateway = await booted(options, dataDir).catch(async (error) => {
    await remove()
    throw error
  })
  const end = async () => {
    await gateway.stop()
    await remove()
  }
  try {
    await requirePlugins(gateway)
    const admin = management(gateway.address)
    await admin.setUp()
    const { funds = 10_000_000 } = options
    if (funds > 0) await admin.credit(1, funds)
    return operated(gateway, admin, end)
  } catch (error) {
    await end()
    throw error
  }
}

async function booted(
  { plugins = [], environment, log = quietLog }: TestGatewayOptions,
  dataDir: string,
): Promise<Gateway> {
  const sources = plugins.length > 0 ? { names: plugins, from: [process.cwd()] } : undefined
  const gateway = await boot({
    environment: { ...defaultEnvironment, dataDir, plugins: sources, ...environment },
    roots: builtInRoots,
    ...{ order, core, log },
    version: programVersion(),
  })
  knowSetupCode(gateway.address, gateway.service('setup').code())
  return gateway
}

const quietLog: Log = { debug() {}, info() {}, warn() {}, error() {} }

/** A plugin that failed would show as a test that fails for no reason. Some are loaded right after the start. */
async function requirePlugins(gateway: Gateway): Promise<void> {
  const catalog = gateway.service('catalog')
  const outside = () => catalog.list().filter(({ origin }) => origin !== undefined)
  while (outside().some(({ state }) => state === 'checked' || state === 'created')) {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const reasons = outside().flatMap(({ manifest, state, reason }) =>
    state === 'failed' ? [`${manifest.id}: ${reason}`] : [],
  )
  const faults = [...catalog.problems(), ...reasons]
  if (faults.length > 0) throw new Error(faults.join('\n'))
}

function operated(gateway: Gateway, admin: Management, end: () => Promise<void>): TestGateway {
  const upstreams: TestUpstream[] = []
  const { address: url } = gateway
  let token: Promise<{ readonly key: string }> | undefined

  const key = async () => {
    token ??= admin.token()
    return (await token).key
  }
  const send = async (method: string, path: string, body?: unknown) =>
    fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await key()}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    })

  return {
    ...{ url, admin, key, send },
    async addChannel({ type, baseUrl, models, settings, key: secret = 'upstream-key' }) {
      await priceModels(admin, models)
      return admin.channel({
        ...{ type, name: String(type), key: secret, base_url: baseUrl, group: 'default' },
        ...{ models: models.join(','), ...(settings !== undefined && { settings }) },
      })
    },
    request: (method, path, body) => admin.must(method, path, body),
    chat: (body) => send('POST', '/v1/chat/completions', body),
    async setOptions(values) {
      for (const [name, value] of Object.entries(values)) await admin.option(name, value)
    },
    async upstream(script) {
      const started = await startUpstream(script)
      upstreams.push(started)
      return started
    },
    async balance() {
      await gateway.idle()
      return admin.balance()
    },
    async pollTasks() {
      await gateway.idle()
      const due = gateway.service('database').knex('tasks').whereNotNull('poll_at')
      await due.update({ poll_at: new Date(0) })
      await gateway.service('tasks').round()
    },
    async close() {
      await gateway.idle()
      const breaches = await gateway.service('ledger').check()
      await end()
      await Promise.all(upstreams.map((one) => one.close()))
      if (breaches.length > 0) {
        throw new Error(`The books do not add up: ${JSON.stringify(breaches)}.`)
      }
    },
  }
}

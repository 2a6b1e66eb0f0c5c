/** A gateway that runs from the unpacked package, over several processes, and is operated over HTTP. */
import { join } from 'node:path'
import type { Test } from 'tap'
import { type Management, management, root } from '../kit/management.js'
import {
  type GatewayProcess,
  installation,
  ledgerCheck,
  startCommand,
  type Variables,
} from '../kit/process.js'
import type { Unpacked } from './tarball.js'

export interface Operated {
  readonly process: GatewayProcess
  readonly admin: Management
  /** Calls any path with the key; a `body` is sent as JSON. */
  send(method: string, path: string, body?: unknown): Promise<Response>
}

export interface Home {
  /** Where packages of plugins are installed. */
  readonly prefix: string
  /** Starts it with these plugins and variables; the first start sets it up. */
  start(plugins: readonly string[], more?: Variables): Promise<Operated>
  /** Ends it by SIGTERM. Resolves with the exit status and what `waybill ledger check` wrote. */
  end(operated: Operated): Promise<{ readonly code: number | null; readonly books: string }>
}

const limits = [
  ...['GLOBAL_API_RATE_LIMIT', 'GLOBAL_WEB_RATE_LIMIT', 'CRITICAL_RATE_LIMIT'],
  ...['CRITICAL_ROUTE_RATE_LIMIT', 'CRITICAL_SECRETS_RATE_LIMIT', 'LOGIN_RATE_LIMIT'],
]

export async function homeOf(t: Pick<Test, 'teardown'>, unpacked: Unpacked): Promise<Home> {
  const { command } = unpacked
  const variables: Variables = {
    ...(await installation(t)),
    ALLOW_PRIVATE_UPSTREAMS: 'true',
    ...Object.fromEntries(limits.map((name) => [`${name}_ENABLE`, 'false'])),
  }
  let key: string | undefined

  return {
    prefix: join(variables.DATA_DIR!, 'plugins'),
    async start(plugins, more = {}) {
      const started = { ...variables, PLUGINS: plugins.join(','), ...more }
      const process = await startCommand(t, [command, 'start'], started)
      const admin = management(process.url)
      if (key === undefined) {
        await admin.setUp()
        await admin.credit(1, 10_000_000)
        key = (await admin.token()).key
      } else {
        await admin.must('POST', '/api/user/login', root)
      }
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      return {
        process,
        admin,
        send: (method, path, body) =>
          fetch(`${process.url}${path}`, {
            ...{ method, headers },
            ...(body !== undefined && { body: JSON.stringify(body) }),
          }),
      }
    },
    async end({ process }) {
      const { code } = await process.end('SIGTERM')
      return { code, books: (await ledgerCheck(variables, command)).output }
    },
  }
}

/** What `GET /api/plugins` has of a plugin; undefined: nothing. */
export async function statusOf(admin: Management, id: string) {
  const { plugins } = await admin.must('GET', '/api/plugins')
  return plugins.find((one: { manifest: { id: string } }) => one.manifest.id === id)
}

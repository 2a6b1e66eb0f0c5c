/** Two gateways on one PostgreSQL, as processes of their own, and people who go from one to the other. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Test } from 'tap'
import { bareDatabaseUrl } from '../../kit/database.js'
import { root, type Sent } from '../../kit/management.js'
import { type GatewayProcess, startProcess, type Variables } from '../../kit/process.js'

export interface Pair {
  readonly a: GatewayProcess
  readonly b: GatewayProcess
  /** What every process of this database is started with. */
  readonly place: Variables
  /** A look past both of them. */
  rows(text: string, values?: unknown[]): Promise<readonly Record<string, unknown>[]>
}

const noLimits = ['GLOBAL_API', 'GLOBAL_WEB', 'CRITICAL', 'CRITICAL_ROUTE', 'LOGIN'].map(
  (name) => [`${name}_RATE_LIMIT_ENABLE`, 'false'] as const,
)

/** Both start at once, on a database without a table. */
export async function startPair(
  t: Pick<Test, 'teardown'>,
  over: Variables = Object.fromEntries(noLimits),
): Promise<Pair> {
  const DATABASE_URL = await bareDatabaseUrl(t)
  if (DATABASE_URL === undefined) throw new Error('two processes need PostgreSQL')
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'waybill-test-'))
  t.teardown(() => rm(DATA_DIR, { recursive: true, force: true }))
  const database = new pg.Pool({ connectionString: DATABASE_URL, max: 2 })
  // The database is dropped with connections that are open.
  database.on('error', () => {})
  t.teardown(() => database.end())
  const place: Variables = {
    ...{ PORT: '0', HOST: '127.0.0.1', CRYPTO_SECRET: 'a secret of the pair' },
    ...{ DATABASE_URL, DATA_DIR, ALLOW_PRIVATE_UPSTREAMS: 'true', ...over },
  }
  const [a, b] = await Promise.all(
    ['a', 'b'].map((name) => startProcess(t, { ...place, NODE_NAME: name })),
  )
  return {
    ...{ a: a!, b: b!, place },
    rows: async (text, values) => (await database.query(text, values)).rows,
  }
}

export interface Outcome {
  readonly status: number
  readonly code: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: answers differ by route; tests look into the fields they name.
  readonly data: any
}

export type Node = Pick<GatewayProcess, 'url'>

/** One browser: its cookies go to whichever process it asks, as behind one address. */
export class Visitor {
  private readonly cookies = new Map<string, string>()

  async call(node: Node, method: string, path: string, body?: object, headers: Sent = {}) {
    const answer = await fetch(`${node.url}${path}`, {
      method,
      headers: {
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]!.split('=')
      this.cookies.set(name, value)
    }
    const { code, data } = (await answer.json()) as Outcome
    return { status: answer.status, code, data } as Outcome
  }

  /** The same, but anything other than success is an error of the test. */
  async must(node: Node, method: string, path: string, body?: object, headers?: Sent) {
    const result = await this.call(node, method, path, body, headers)
    if (result.status === 200) return result.data
    throw new Error(`${method} ${path} answered ${result.status} ${result.code}`)
  }

  signIn(node: Node, username: string, password: string = root.password): Promise<Outcome> {
    return this.call(node, 'POST', '/api/user/login', { username, password })
  }

  /** The header that shows, for one operation, that the password was given anew. */
  async prove(node: Node, scope: string): Promise<Sent> {
    const form = { method: 'password', password: root.password, scope }
    const { proof_token } = await this.must(node, 'POST', '/api/verify', form)
    return { 'x-verification-token': proof_token }
  }

  option(node: Node, key: string, value: unknown) {
    const text = typeof value === 'object' ? JSON.stringify(value) : value
    return this.must(node, 'PUT', '/api/option/', { key, value: text })
  }

  /** An unlimited API key of one's own. */
  async key(node: Node): Promise<string> {
    const form = { name: 'test', unlimited_quota: true, expired_time: -1 }
    return (await this.must(node, 'POST', '/api/token/', form)).key
  }
}

export async function visitor(node: Node, username: string): Promise<Visitor> {
  const one = new Visitor()
  const { status, code } = await one.signIn(node, username)
  if (status !== 200) throw new Error(`${username} could not sign in: ${status} ${code}`)
  return one
}

/** Looks again and again until it is as wanted, for as long as an edit may take. Answers what was seen last. */
export async function inForce<T>(seen: () => Promise<T>, wanted: T, withinMs = 2_000): Promise<T> {
  const until = performance.now() + withinMs
  let last = await seen()
  while (last !== wanted && performance.now() < until) last = await seen()
  return last
}

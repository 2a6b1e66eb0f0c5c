/** Operates a running gateway the way an admin's script does: over HTTP, with a session cookie. */

interface ManagementAnswer {
  readonly status: number
  readonly body: {
    readonly success: boolean
    readonly message: string
    // biome-ignore lint/suspicious/noExplicitAny: answers differ by route; tests look into the fields they name.
    readonly data: any
    readonly code?: string
    readonly field?: string
  }
  readonly headers: Headers
}

export interface Management {
  readonly url: string
  call(method: string, path: string, body?: unknown, headers?: Sent): Promise<ManagementAnswer>
  /** The same, but anything other than success is an error of the test. `data` comes back. */
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  must(method: string, path: string, body?: unknown, headers?: Sent): Promise<any>
  login(username: string, password: string): Promise<ManagementAnswer>
  /** Makes the root account and signs in with it. */
  setUp(): Promise<void>
  /** Sets an option; maps are sent as JSON text. */
  option(key: string, value: unknown): Promise<void>
  /** Creates a channel and answers its id. */
  channel(fields: Readonly<Record<string, unknown>>): Promise<number>
  /** Creates a token and answers its id and key. */
  token(fields?: Readonly<Record<string, unknown>>): Promise<{ id: number; key: string }>
  /**
   * Verifies by password, root's own where none is named, and answers the header that proves it for one operation. The
   * session gets a new id by it, so nothing else of this client may be under way.
   */
  prove(scope: string, password?: string): Promise<Sent>
  /** What `/api/user/self` shows: posted − held. */
  balance(): Promise<bigint>
  credit(userId: number, quota: bigint | number): Promise<void>
}

export type Sent = Readonly<Record<string, string>>

export const root = { username: 'root', password: 'correct horse battery' } as const

/** Setup codes as gateways printed them, by their origin. */
const setupCodes = new Map<string, string>()

/** To be called by whoever starts a gateway, so that it can be set up. Undefined: it is set up already. */
export function knowSetupCode(url: string, code: string | undefined): void {
  if (code !== undefined) setupCodes.set(url, code)
}

export function setupCodeOf(url: string): string {
  return setupCodes.get(url) ?? ''
}

/** The code in what a gateway has written. */
export function setupCodeIn(output: string): string | undefined {
  return /setup needs the code ([A-Z0-9-]+)/.exec(output)?.[1]
}

const sessionCookie = /^(?:__Host-)?session=/

/** `received` is called with the gateway's origin after each response. */
export function management(url: string, received: (url: string) => void = () => {}): Management {
  let cookie = ''
  let crediting: Promise<unknown> = Promise.resolve()

  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Sent = {},
  ): Promise<ManagementAnswer> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        cookie,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const set = response.headers.getSetCookie().find((line) => sessionCookie.test(line))
    if (set !== undefined) cookie = set.split(';')[0]!
    const answer = (await response.json()) as ManagementAnswer['body']
    received(url)
    return { status: response.status, body: answer, headers: response.headers }
  }

  async function must(method: string, path: string, body?: unknown, headers?: Sent) {
    const { status, body: answer } = await call(method, path, body, headers)
    if (status === 200 && answer.success) return answer.data
    throw new Error(`${method} ${path} answered ${status}: ${answer.message}`)
  }

  const self: Management = {
    url,
    call,
    must,
    login: (username, password) => call('POST', '/api/user/login', { username, password }),
    async setUp() {
      const code = setupCodeOf(url)
      await must('POST', '/api/setup', { ...root, confirmPassword: root.password, code })
      await must('POST', '/api/user/login', root)
    },
    async option(key, value) {
      const text = typeof value === 'object' ? JSON.stringify(value) : value
      await must('PUT', '/api/option/', { key, value: text })
    },
    channel: async (fields) => (await must('POST', '/api/channel/', fields)).id,
    token: (fields = {}) =>
      must('POST', '/api/token/', {
        name: 'test',
        unlimited_quota: true,
        expired_time: -1,
        ...fields,
      }),
    balance: async () => BigInt((await must('GET', '/api/user/self')).quota),
    async prove(scope, password = root.password) {
      const form = { method: 'password', password, scope }
      const { proof_token } = await must('POST', '/api/verify', form)
      return { 'x-verification-token': proof_token }
    },
    credit(userId, quota) {
      const form = { id: userId, action: 'add_quota', mode: 'add', value: Number(quota) }
      const remark = 'credit of a test'
      const done = crediting.then(async () => {
        const proof = await self.prove('balance')
        await must('POST', '/api/user/manage', { ...form, remark }, proof)
      })
      crediting = done.catch(() => {})
      return done
    },
  }
  return self
}

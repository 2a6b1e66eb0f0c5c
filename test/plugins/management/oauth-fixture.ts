/**
 * What signing in by another place is tested with: an OpenID provider that is not ours, whose pages are a script, and
 * browsers that keep cookies and go wherever they are sent.
 */
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import type { Test as TapTest } from 'tap'
import type { Management } from '../../kit/management.js'

export const site = 'https://console.example'
export const clientSecret = 'canary-oauth-client-secret-5Hq2Zk0Jx4NvB1mW'

export interface Place {
  readonly issuer: string
  /** What it states of its people, by subject. */
  readonly people: Map<string, Readonly<Record<string, unknown>>>
}

/** Signs in whoever the header `x-person` names, and asks for no consent. `home`: where it sends them back to. */
export async function localPlace(t: Pick<TapTest, 'teardown'>, home = site): Promise<Place> {
  const people: Place['people'] = new Map()
  let answer: (request: IncomingMessage, response: ServerResponse) => void = () => {}
  const server = createServer((request, response) => answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'gateway',
        client_secret: clientSecret,
        redirect_uris: ['oidc', 'company'].map((name) => `${home}/oauth/${name}`),
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'one', use: 'sig' }] },
    cookies: { keys: ['a key for tests only'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    claims: {
      openid: ['sub'],
      profile: ['name', 'preferred_username', 'team'],
      email: ['email', 'email_verified'],
    },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 3600 },
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: async () => ({ ...people.get(sub), sub }),
    }),
  })

  async function interaction(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { params } = await provider.interactionDetails(request, response)
    const accountId = String(request.headers['x-person'])
    if (accountId === 'nobody') {
      const result = { error: 'access_denied', error_description: 'The person said no.' }
      return provider.interactionFinished(request, response, result)
    }
    const grant = new provider.Grant({ accountId, clientId: String(params.client_id) })
    grant.addOIDCScope(String(params.scope))
    const consent = { grantId: await grant.save() }
    await provider.interactionFinished(request, response, { login: { accountId }, consent })
  }

  const pages = provider.callback()
  answer = (request, response) => {
    const page = request.url?.startsWith('/interaction/') ? interaction : pages
    void Promise.resolve(page(request, response)).catch((error) => response.destroy(error))
  }
  return { issuer, people }
}

/** Settings of an admin, who switches the provider on at the end. */
export async function openOidc(admin: Management, { issuer }: Place): Promise<void> {
  await admin.option('ServerAddress', site)
  await admin.option('oidc.client_id', 'gateway')
  await admin.option('oidc.client_secret', clientSecret)
  await admin.option('oidc.well_known', `${issuer}/.well-known/openid-configuration`)
  await admin.option('oidc.enabled', true)
}

/** The same provider as one an admin defined by hand; answers its id. */
export async function openCompany(admin: Management, { issuer }: Place, over: object = {}) {
  const { id } = await admin.must('POST', '/api/custom-oauth-provider/', {
    name: 'Company',
    slug: 'company',
    enabled: true,
    client_id: 'gateway',
    client_secret: clientSecret,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    user_info_endpoint: `${issuer}/me`,
    auth_style: 'body',
    ...over,
  })
  return id as number
}

/** Whom the place knows, and what it states of them. */
export function known(place: Place, subject: string, claims: object = {}): string {
  place.people.set(subject, { preferred_username: subject, name: `Name of ${subject}`, ...claims })
  return subject
}

interface Outcome {
  readonly status: number
  readonly code?: string
  readonly message: string
  // biome-ignore lint/suspicious/noExplicitAny: answers differ by route; tests look into the fields they name.
  readonly data: any
  readonly headers: Headers
}

export interface Browser {
  call(
    method: string,
    path: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Outcome>
  /** Asks for a state. */
  begin(provider: string, intent?: 'login' | 'bind', form?: object): Promise<Outcome>
  /** Goes where the state states as this person, and answers what the browser is sent back with. */
  visit(authorizeUrl: string, person: string): Promise<URLSearchParams>
  finish(provider: string, brought: URLSearchParams): Promise<Outcome>
  /** All of it. */
  signIn(provider: string, person: string, form?: object): Promise<Outcome>
  bind(provider: string, person: string): Promise<Outcome>
  cookie(name: string): string | undefined
}

export function browser(url: string): Browser {
  const cookies = new Map<string, string>()

  async function call(method: string, path: string, body?: object, headers = {}): Promise<Outcome> {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        cookie: written(cookies),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    keep(cookies, answer)
    const { data, code, message } = (await answer.json()) as Outcome
    return { status: answer.status, code, message, data, headers: answer.headers }
  }

  async function visit(authorizeUrl: string, person: string): Promise<URLSearchParams> {
    const jar = new Map<string, string>()
    let at = new URL(authorizeUrl)
    for (let step = 0; step < 10; step += 1) {
      const headers = { cookie: written(jar), 'x-person': person }
      const page = await fetch(at, { redirect: 'manual', headers })
      keep(jar, page)
      const location = page.headers.get('location')
      if (location === null)
        throw new Error(`the place answered ${page.status}: ${await page.text()}`)
      at = new URL(location, at)
      if (at.origin === site) return at.searchParams
    }
    throw new Error('the place never came to an end')
  }

  async function round(provider: string, person: string, intent: 'login' | 'bind', form = {}) {
    const { data, ...begun } = await self.begin(provider, intent, form)
    if (data === undefined || data === null) return { ...begun, data }
    return self.finish(provider, await visit(data.authorize_url, person))
  }

  const self: Browser = {
    call,
    begin: (provider, intent = 'login', form = {}) =>
      call('POST', '/api/oauth/state', { provider, intent, ...form }),
    visit,
    finish: (provider, brought) => call('GET', `/api/oauth/${provider}?${brought}`),
    signIn: (provider, person, form) => round(provider, person, 'login', form),
    bind: (provider, person) => round(provider, person, 'bind'),
    cookie: (name) => cookies.get(name),
  }
  return self
}

function written(cookies: ReadonlyMap<string, string>): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
}

function keep(cookies: Map<string, string>, answer: Response): void {
  for (const line of answer.headers.getSetCookie()) {
    const [name = '', value = ''] = line.split(';')[0]!.split('=')
    cookies.set(name, value)
  }
}

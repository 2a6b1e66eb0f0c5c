/**
 * The walk over every route of the loaded gateway (E7): each declares who may call it, how often, how
 * much it takes and in what form; and every path answers in its family's shape, whatever is queried of it.
 */
import { request } from 'node:http'
import joi, { type Schema } from 'joi'
import t from 'tap'
import type { LoadedRoute } from '../../kernel/contract/management.js'
import { pathShapes } from '../../kernel/registry/manifest-set.js'
import { described } from '../../plugins/management/openapi/document/described.js'
import { pathForms } from '../../plugins/management/openapi/document/path-form.js'
import { startGateway } from '../kit/gateway.js'

const { url, gateway } = await startGateway(t, { funds: 0 })
const catalog = gateway.service('catalog')
const routes = catalog.routes()
const managed = routes.filter(({ management }) => management !== undefined)
const relayed = routes.filter(({ endpoint }) => endpoint !== undefined)

const nameOf = ({ manifest, declared }: LoadedRoute) => `${manifest.id}.${declared.name}`
const named = (all: readonly LoadedRoute[]) => all.map(nameOf)

t.test('every plugin is in use, so that the walk misses none', async (t) => {
  const failed = catalog.list().filter(({ state }) => state === 'failed')
  t.strictSame(
    failed.map(({ manifest, reason }) => `${manifest.id}: ${reason}`),
    [],
  )
  const declared = catalog
    .list()
    .filter(({ manifest: { kind } }) => kind === 'management' || kind === 'endpoint')
    .flatMap(({ manifest }) => manifest.routes.map(({ name }) => `${manifest.id}.${name}`))
  t.strictSame(named(routes), declared)
  t.ok(managed.length > 40)
  t.ok(relayed.length > 20)
})

t.test('every route names what it does in a sentence', async (t) => {
  t.strictSame(
    named(routes.filter(({ declared }) => !/^[A-Z].{4,}\.$/.test(declared.summary ?? ''))),
    [],
  )
})

t.test('management routes ask for a role or none; relay paths for a key or a user', async (t) => {
  const keyed = managed.filter(({ declared }) => declared.credential === 'key')
  t.strictSame(named(keyed), [])
  const ranked = relayed.filter(({ declared }) => ['admin', 'root'].includes(declared.credential))
  t.strictSame(named(ranked), [])
})

t.test('every route is limited but the probes of health', async (t) => {
  const free = routes.filter(({ declared }) => declared.limiter === 'none')
  t.strictSame(
    named(free).filter((name) => !name.startsWith('management.health.')),
    [],
  )
})

t.test(
  '[LIMIT-6] management takes small bodies, but where keys, prices and models are written',
  async (t) => {
    const large = managed.filter(({ declared: { maxBytes = 0 } }) => maxBytes > 262_144)
    t.strictSame(large.map((route) => `${nameOf(route)} ${route.declared.maxBytes}`).sort(), [
      'management.channel-tests.apply 524288',
      'management.channels.changeMany 1048576',
      'management.channels.changeTag 1048576',
      'management.channels.create 8388608',
      'management.channels.update 8388608',
      'management.options.update 8388608',
      'management.prices.change 8388608',
      'management.tasks.callback 1048576',
      'management.users.changeMany 1048576',
      'management.users.moveMany 1048576',
      'management.users.removeMany 1048576',
    ])
  },
)

t.test('a body has a limit and a schema; a path without one declares neither', async (t) => {
  const takes = managed.filter(({ declared }) => declared.body !== 'none')
  t.strictSame(
    takes.filter(({ declared }) => declared.maxBytes === undefined).map(nameOf),
    [],
    'every body has a limit of its own',
  )
  const fields = takes.filter(({ declared }) => declared.body !== 'raw')
  t.strictSame(named(fields.filter(({ management }) => management?.body === undefined)), [])
  const none = managed.filter(({ declared }) => declared.body === 'none')
  t.strictSame(named(none.filter(({ management }) => management?.body !== undefined)), [])
})

t.test('GET takes no body', async (t) => {
  const gets = routes.filter(({ declared }) => declared.method === 'GET')
  t.strictSame(named(gets.filter(({ declared }) => declared.body !== 'none')), [])
})

t.test('every parameter of a path has a schema, and every schema is of fields', async (t) => {
  for (const route of managed) {
    const { declared, management } = route
    const names = pathForms(declared.path)[0]?.parameters.map(({ name }) => name) ?? []
    t.strictSame(keysOf(management?.params).sort(), [...names].sort(), nameOf(route))
    for (const schema of [management?.query, management?.params]) {
      t.ok(schema === undefined || described(schema).type === 'object', nameOf(route))
    }
  }
})

/** GET routes that change something, each because the scripts of the family call it so (management/README.md section 2). */
const changing: Readonly<Record<string, string>> = {
  'management.session.logout':
    'consoles sign out with GET; no page of another site can have it done',
  'management.oauth.finish': 'providers send browsers back by GET; the state is of this browser',
  'management.registration.sendCode': 'sends a mail to an address, and changes nothing of anybody',
  'management.registration.sendReset': 'the same, with a link nobody else sees',
  'management.channel-tests.test': 'asks one upstream something tiny and notes how long it took',
  'management.channel-tests.testAll': 'the same for every channel, in the background',
  'management.channel-tests.balance': 'asks one upstream for the balance and notes it',
  'management.channel-tests.balances': 'the same for every channel, in the background',
}

/** Answers 405 and nothing else. */
const refusing = 'management.oauth.stateByGet'

/** First words of a summary that tells of a change. */
const verbs =
  /^(Adds|Applies|Asks|Begins|Changes|Clears|Closes|Copies|Creates|Deletes|Disables|Enables|Ends|Makes|Opens|Rebuilds|Removes|Renews|Resets|Runs|Sends|Sets|Starts|Stops|Tests|Turns|Updates|Writes)\b/

t.test('what changes something is no GET, except what the family has so', async (t) => {
  const gets = managed.filter(({ declared }) => declared.method === 'GET')
  const changes = gets.filter(({ declared }) => verbs.test(declared.summary ?? ''))
  t.strictSame(
    named(changes).filter((name) => !(name in changing)),
    [],
  )
  const names = new Set(named(gets))
  t.strictSame(
    Object.keys(changing).filter((name) => !names.has(name)),
    [],
    'every exception is a route',
  )
  const critical = gets.filter(({ declared }) => declared.limiter === 'critical')
  t.strictSame(
    named(critical).filter((name) => !(name in changing) && name !== refusing),
    [],
  )
})

/** Routes that move money, or touch credentials, factors, sessions or keys. */
const critical = {
  account: ['update', 'passwordLogin', 'remove', 'newAccessToken', 'endAccessToken'],
  'access-tokens': ['create', 'remove'],
  'channel-keys': ['reveal'],
  'custom-oauth': ['create', 'update', 'remove'],
  invitations: ['transfer'],
  ledger: ['check'],
  notifications: ['changeSetting', 'test'],
  oauth: ['state', 'stateByGet', 'finish', 'finishByPost', 'unbind'],
  passkeys: [
    'registerBegin',
    'registerFinish',
    'loginBegin',
    'loginFinish',
    'verifyBegin',
    'verifyFinish',
    'rename',
    'removeAll',
    'remove',
  ],
  registration: ['register', 'sendCode', 'sendReset', 'reset', 'bindEmail', 'bindEmailAlias'],
  session: ['login', 'secondStep', 'end', 'endOthers'],
  setup: ['complete'],
  tokens: [
    'create',
    'update',
    'switchOther',
    'replace',
    'remove',
    'reveal',
    'removeAll',
    'revealAll',
  ],
  'two-factor': ['setUp', 'enable', 'disable', 'renewCodes'],
  users: [
    'create',
    'update',
    'manage',
    'changeMany',
    'moveMany',
    'removeMany',
    'remove',
    'removePasskeys',
    'removeTwoFactor',
    'removeAccessToken',
    'endSessions',
    'unbind',
  ],
  verify: ['verify'],
} as const

/** Calls of these routes may write keys or secrets, and many in a row are usual. */
const secrets = [
  'management.channel-keys.manage',
  'management.channels.create',
  'management.channels.update',
  'management.channels.copy',
  'management.options.update',
]

t.test('[LIMIT-4] what writes keys or secrets has a limit of its own', async (t) => {
  const limited = named(managed.filter(({ declared }) => declared.limiter === 'secrets'))
  t.strictSame([...limited].sort(), [...secrets].sort())
})

/** Writes of those areas that touch nothing of the kind. */
const harmless: Readonly<Record<string, string>> = {
  'management.session.logoutByPost': 'who is done may always leave',
  'management.notifications.retry': 'sends once more what was written before',
}

t.test('[LIMIT-4] what moves money or touches credentials is limited most', async (t) => {
  const wanted = Object.entries(critical).flatMap(([area, names]) =>
    names.map((name) => `management.${area}.${name}`),
  )
  const limited = named(managed.filter(({ declared }) => declared.limiter === 'critical'))
  t.strictSame(
    wanted.filter((name) => !limited.includes(name)),
    [],
  )
  const ofThese = managed.filter(
    ({ manifest, declared }) =>
      manifest.id.replace('management.', '') in critical &&
      declared.method !== 'GET' &&
      manifest.id !== 'management.channel-keys',
  )
  t.strictSame(
    named(ofThese).filter((name) => !wanted.includes(name) && !(name in harmless)),
    [],
    'a write that is added to these areas is named here',
  )
})

t.test('no two routes share a path, in either slash form', async (t) => {
  const shapes = routes.flatMap(({ declared }) =>
    pathShapes(declared.path).map((shape) => `${declared.method} ${shape}`),
  )
  t.strictSame(
    shapes.filter((shape, at) => shapes.indexOf(shape) !== at),
    [],
  )
})

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
/** One address of each path. */
const addresses = [...new Set(routes.map(({ declared }) => addressOf(declared.path)))]

t.test(
  'a method that a known path does not take is answered 405, with those it takes',
  async (t) => {
    const wrong: string[] = []
    for (const address of addresses) {
      const taken = methods.filter((method) => servedAt(method, address))
      for (const method of methods.filter((one) => !taken.includes(one))) {
        const result = await ask(method, address)
        const allowed = taken.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])).join(', ')
        if (result.status !== 405 || result.allow !== allowed || !result.isShaped) {
          wrong.push(`${method} ${address}: ${JSON.stringify(result)}`)
        }
      }
    }
    t.strictSame(wrong, [])
  },
)

t.test('an unknown path is answered 404 in the shape of its family', async (t) => {
  const wrong: string[] = []
  for (const address of addresses) {
    const unknown = `${address.replace(/\/$/, '')}/there/is/no/such/path`
    if (methods.some((method) => servedAt(method, unknown))) continue
    const result = await ask('GET', unknown)
    if (result.status !== 404 || !result.isShaped)
      wrong.push(`${unknown}: ${JSON.stringify(result)}`)
  }
  t.strictSame(wrong, [])
})

function keysOf(schema: Schema | undefined): string[] {
  return Object.keys(described(schema ?? joi.object()).keys ?? {})
}

function addressOf(path: string): string {
  return (pathForms(path)[0]?.path ?? path).replace(/\{\w+\}/g, '1')
}

/** Whether a route takes this address, by a matcher of our own. */
function servedAt(method: string, address: string): boolean {
  return routes.some(({ declared }) => declared.method === method && takes(declared.path, address))
}

function takes(path: string, address: string): boolean {
  const plain = path.replace(/\/+$/, '') || '/'
  const source = plain
    .replace(/[.:]/g, '\\$&')
    .replace(/\/\{\w+\?\}$/, '(/[^/]+)?')
    .replace(/\/\{\w+\*\}/g, '(/.+)?')
    .replace(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${source}$`).test(address.replace(/\/+$/, '') || '/')
}

interface Outcome {
  readonly status: number
  readonly allow: string
  /** The body is the envelope under `/api` and beside it, an `error` on relay paths. */
  readonly isShaped: boolean
}

/** `fetch` would not send every method as it stands. */
function ask(method: string, path: string): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { method }, async (answer) => {
      const chunks: Buffer[] = []
      for await (const chunk of answer) chunks.push(chunk as Buffer)
      const text = Buffer.concat(chunks).toString('utf8')
      const { statusCode: status = 0, headers } = answer
      resolve({ status, allow: headers.allow ?? '', isShaped: isShaped(path, text) })
    })
    sent.on('error', reject)
    sent.end()
  })
}

function isShaped(path: string, text: string): boolean {
  const body = JSON.parse(text)
  if (/^\/(v1|v1beta|pg|upload|mj|mj-\w+|suno|kling|jimeng)(\/|$)/.test(path)) {
    return typeof body.error === 'object' && typeof body.error.message === 'string'
  }
  return body.success === false && typeof body.code === 'string' && body.data === null
}

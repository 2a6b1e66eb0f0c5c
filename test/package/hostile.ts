/** Plugins nobody should install: the files of each, and what the gateway is to show of it. */
import { acmeManifest } from '../kernel/registry/outside-kit.js'
import { manifestOf, type Part } from '../kernel/registry/plugins.js'

/** What `GET /api/plugins` has of it: a state and a sentence of the plugin's own, or a sentence among the problems. */
type Shown = { readonly reason: RegExp } | { readonly problem: RegExp } | 'ready'

export interface Hostile {
  readonly id: string
  readonly files: Readonly<Record<string, string | object>>
  readonly shown: Shown
}

const nothing = 'export default () => ({ operations: {} })'

function plugin(name: string, code: string, shown: Shown, more: Part = {}): [string, Hostile] {
  const id = String(more.id ?? `provider.${name}`)
  const channelTypes = [{ name, baseUrl: 'https://a.example' }]
  const part = id.startsWith('provider.') ? { ...acmeManifest, channelTypes } : {}
  const manifest = manifestOf(id, { ...part, ...more })
  return [name, { id, files: { 'manifest.json': manifest, 'index.js': code }, shown }]
}

function broken(name: string, files: Hostile['files'], problem: RegExp): [string, Hostile] {
  return [name, { id: '', files, shown: { problem } }]
}

/** Wrong before anybody calls them, by the names of their folders. */
export const hostileAtStart: Readonly<Record<string, Hostile>> = Object.fromEntries([
  plugin('throws', 'throw new Error("no luck")', { reason: /no luck/ }),
  plugin('bomb', 'throw { get message() { throw 1 } }', { reason: /./ }),
  plugin('nothing', 'throw undefined', { reason: /./ }),
  plugin('words', 'these are words', { reason: /Unexpected/ }),
  plugin('missing', "import './none.js'", { reason: /none\.js/ }),
  plugin('createless', 'export const a = 1', { reason: /no default export create/ }),
  plugin('creator', 'export default () => { throw new Error("not today") }', {
    reason: /not today/,
  }),
  plugin('later', 'export default async () => { throw new Error("not then") }', { reason: /./ }),
  plugin('numbers', 'export default () => ({ operations: 7 })', { reason: /operations/ }),
  plugin(
    'proxy',
    `const trap = () => { throw new Error('trapped') }
    const traps = { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap, getOwnPropertyDescriptor: trap }
    export default () => new Proxy({}, traps)`,
    { reason: /./ },
  ),
  plugin(
    'starter',
    `export default () => ({ operations: {}, start() { throw new Error('no start') } })`,
    {
      reason: /no start/,
    },
  ),
  plugin('future', nothing, { reason: /contract|engines/ }, { engines: { waybill: '^9.0' } }),
  plugin('escaping', nothing, { reason: /entry/ }, { entry: '../throws/index.js' }),
  plugin('typeless', nothing, { reason: /./ }, { title: 7, version: [], hosts: 'x', settings: 3 }),
  plugin(
    'taker',
    nothing,
    { reason: /channel type 1, which/ },
    {
      channelTypes: [{ id: 1, name: 'taker', baseUrl: 'https://a.example' }],
    },
  ),
  plugin(
    'rival',
    nothing,
    { problem: /"provider\.openai" is that of a plugin that comes with/ },
    {
      id: 'provider.openai',
    },
  ),
  plugin(
    'twin',
    nothing,
    { problem: /its id "provider\.throws" is that of/ },
    {
      id: 'provider.throws',
    },
  ),
  plugin('stage', nothing, { problem: /stage\.auth/ }, { id: 'stage.auth' }),
  broken('unwritten', { 'manifest.json': '{' }, /unwritten/),
  broken('listed', { 'manifest.json': '[]' }, /states no id/),
  broken('folder', { 'manifest.json/file': '' }, /folder/),
  broken('package', { 'package.json': '{' }, /its package\.json is no JSON/),
  broken('outer', { 'package.json': { waybill: { plugins: ['../throws'] } } }, /within it/),
  broken('seven', { 'package.json': { waybill: { plugins: 7 } } }, /within it/),
  broken('huge', { 'package.json': { waybill: 'x'.repeat(20_000_000) } }, /within it/),
  broken('empty', { 'readme.txt': '' }, /neither a manifest\.json nor a package\.json/),
])

/** Chat in a form of the upstream's own. */
const own = (read: string) =>
  `format: 'own', streamTypes: ['application/json'], encode: ({ model }) => ({ model, messages: [{ role: 'user', content: 'Hello' }] }), ${read}`

/** What a chat adapter does when it is called; a request passes on to the next channel each time. */
const ways: Readonly<Record<string, string>> = {
  throwing: `address() { throw new Error('boom') }`,
  hollow: `address() {}`,
  mistyped: `address: () => ({ method: 7, url: {}, headers: 'none', body: Symbol() })`,
  exploding: `address: () => ({ get method() { throw new Error('boom') } })`,
  trapped: `address: () => new Proxy({}, { get() { throw new Error('boom') }, ownKeys() { throw new Error('boom') } })`,
  throwingnull: `address() { throw null }`,
  heavy: `address: (_wire, { baseUrl }) => ({ method: 'POST', url: baseUrl, headers: {}, body: Buffer.alloc(2 ** 30) })`,
  wide: `address: (_wire, { baseUrl }) => ({ method: 'POST', url: baseUrl, headers: Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => ['x-' + at, 'y'])) })`,
  astray: `address: () => ({ method: 'POST', url: 'file:///etc/passwd', headers: {} })`,
  split: `address: (_wire, { baseUrl }) => ({ method: 'POST', url: baseUrl, headers: { 'a\\r\\nb': 'c\\r\\nd' } })`,
  giant: `address: (_wire, { baseUrl }) => ({ method: 'POST', url: baseUrl + '/giant', headers: {} })`,
  reading: own('read() { throw new Error("boom") }'),
  readingbadly: own('read: () => 7'),
  pushing: own('read: () => ({ push() { throw new Error("boom") }, flush: () => [] })'),
  pushingbadly: own(`read: () => ({ push: () => [{ type: 'delta', at: 7 }], flush: () => [] })`),
  pushingmuch: own(
    `read: () => ({ push: () => Array.from({ length: 2_000_000 }, () => ({ type: 'start' })), flush: () => [] })`,
  ),
  flushing: own('read: () => ({ push: () => [], flush() { throw new Error("boom") } })'),
  unserving: `serves() { throw new Error('boom') }`,
  refusing: `address: (_wire, { baseUrl }) => ({ method: 'POST', url: baseUrl + '/none', headers: {} }), fail() { throw new Error('boom') }`,
  failing: `address: (_wire, { baseUrl }) => ({ method: 'POST', url: baseUrl + '/none', headers: {} }), fail: () => ({ blame: 7, get status() { throw 1 } })`,
}

/** What goes on beside the calls of a provider that does all it should. */
const noises: Readonly<Record<string, string>> = {
  timers: `setTimeout(() => { throw new Error('boom of a timer') })`,
  promises: `void Promise.reject(new Error('boom of a promise'))`,
  emptypromises: `void Promise.reject(undefined)`,
  floods: `for (let line = 0; line < 20_000; line += 1) console.log('a flood of lines')`,
  polluting: `JSON.parse('{"__proto__":{"polluted":1}}')`,
}

const sound = `
  address: (_wire, { baseUrl }) => ({ method: 'POST', url: baseUrl + '/v1/chat/completions', headers: { 'content-type': 'application/json' } }),
  fail: (status) => ({ blame: 'upstream', status: 502, code: 'upstream_error', message: 'no' })`

const provider = (members: string, noise = '') => `
const noise = () => { ${noise} }
const chat = { format: 'chat', ${sound}, ${members} }
const { address } = chat
chat.address = (...given) => { noise(); return address(...given) }
export default () => ({ operations: { chat } })`

/** Wrong once they are called, by the names of their folders, channel types and models. */
export const hostileInCalls: Readonly<Record<string, Hostile>> = Object.fromEntries([
  ...Object.entries(ways).map(([name, members]) => plugin(name, provider(members), 'ready')),
  ...Object.entries(noises).map(([name, noise]) => plugin(name, provider('', noise), 'ready')),
])

const innocent: ReadonlySet<string> = new Set(['astray', 'split', 'giant'])

/** Those whose faults are counted; the others returned what has the right form, and the call itself came to nothing. */
export const faulty = Object.keys(ways).filter((name) => !innocent.has(name))

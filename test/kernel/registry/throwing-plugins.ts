/** Plugins of every kind whose functions throw when the test states so, in the way it states. */
import { pathToFileURL } from 'node:url'
import type { Test } from 'tap'
import type { Log } from '../../../kernel/contract/kit.js'

/** How a function of a plugin goes wrong. */
export type Way =
  | 'throws'
  | 'rejects'
  | 'throws a word'
  | 'names an unknown code'
  | 'seals for another'
  | 'returns what cannot be written'
  | 'returns what cannot be read'
  | Later
/** After the function has returned as it should. */
export type Later =
  | 'throws later'
  | 'throws in a timer'
  | 'emits an error'
  | 'rejects unheard'
  | 'throws a word later'
  | 'throws nothing later'
  | 'calls what is deprecated'

/** Which function goes wrong, and how; read by the plugins below. */
export interface Trouble {
  verb?: string | undefined
  way: Way
}

const place = Symbol.for('waybill.test.trouble')

export function trouble(): Trouble {
  const holder = globalThis as { [place]?: Trouble }
  holder[place] ??= { way: 'throws' }
  return holder[place]
}

/** In front of each plugin. `may(verb)` goes wrong where the test stated so. */
const preamble = `
import { EventEmitter } from 'node:events'
import { deprecate } from 'node:util'

function may(verb, result) {
  const trouble = globalThis[Symbol.for('waybill.test.trouble')] ?? {}
  if (trouble.verb !== verb) return result
  const error = new Error('boom in ' + verb)
  if (trouble.way === 'rejects') return Promise.reject(error)
  if (trouble.way === 'seals for another') {
    return [{ type: 'delta', at: { choice: 0, part: 0 }, seal: 'signature', sealBy: 'messages' }]
  }
  if (trouble.way === 'throws a word') throw 'boom in ' + verb
  if (trouble.way === 'names an unknown code') {
    const failure = { blame: 'upstream', status: 500, code: 'made_up', message: 'boom' }
    return { answer: { failure }, 'read.flush': [{ type: 'failure', failure }] }[verb] ?? failure
  }
  if (trouble.way === 'returns what cannot be written') return { toJSON() { throw error } }
  if (trouble.way === 'returns what cannot be read') {
    return Object.defineProperty({}, 'model', { enumerable: true, get() { throw error } })
  }
  const later = {
    'throws later': () => setImmediate(() => { throw error }),
    'throws in a timer': () => setTimeout(() => { throw error }),
    'emits an error': () => setImmediate(() => new EventEmitter().emit('error', error)),
    'rejects unheard': () => void Promise.reject(error),
    'throws a word later': () => setImmediate(() => { throw 'boom in ' + verb }),
    'throws nothing later': () => setImmediate(() => { throw undefined }),
    'calls what is deprecated': () => deprecate(() => {}, 'bearer() is deprecated; use bearerRequest().', 'WAYBILL1')(),
  }[trouble.way]
  if (later !== undefined) return later(), result
  throw error
}
`

const provider = `${preamble}
const text = (type, more) => ({ type, ...more })
const answer = [
  { type: 'start' },
  { type: 'open', at: { choice: 0, part: 0 }, part: { kind: 'text' } },
  { type: 'delta', at: { choice: 0, part: 0 }, text: 'from the plugin' },
  { type: 'close', at: { choice: 0, part: 0 } },
  { type: 'stop', choice: 0, reason: 'end', word: 'end' },
  { type: 'end' },
]
const shared = {
  serves: () => may('serves', true),
  adjust: (wire) => may('adjust', wire),
  address: (_wire, channel) => may('address', { method: 'POST', url: channel.baseUrl + '/own', headers: {} }),
  fail: (status) => may('fail', { blame: 'upstream', status, code: 'upstream_error', message: 'failed' }),
}
const chat = {
  ...shared,
  format: 'own',
  streamTypes: ['application/json'],
  encode: (call) => may('encode', { turns: call.turns.length }),
  unsupportedFields: () => may('unsupportedFields', { refuse: [], report: [] }),
  read: () => may('read', {
    push: () => may('read.push', []),
    flush: () => may('read.flush', answer),
  }),
}
const known = {
  ...shared,
  format: 'chat',
  serves: (_channel, model) => model === 'known-form',
  failureIn: () => may('failureIn', undefined),
  streamTypes: ['application/x-frames'],
  unframe: () => may('unframe', { push: (bytes) => may('unframe.push', [bytes]), flush: () => may('unframe.flush', []) }),
}
const embeddings = {
  ...shared,
  format: 'own',
  shape: (body) => may('shape', body),
  prepare: (body) => may('prepare', Promise.resolve(body)),
  split: (body) => may('split', [body, body]),
  answer: () => may('answer', { json: { object: 'list', data: [{ embedding: [1], index: 0 }], usage: { prompt_tokens: 1, total_tokens: 1 } } }),
}
const translated = (toUpstream, toClient) => ({ toUpstream, toClient, waits: false })
const realtime = {
  ...shared,
  format: 'same',
  socket: (channel) => ({ url: channel.baseUrl.replace('http', 'ws') + '/own', headers: {}, protocols: [] }),
  frames: () => may('frames', {
    opened: () => may('frames.opened', translated([], [Buffer.from('{"type":"session.created"}')])),
    fromClient: (frame) => may('frames.fromClient', translated([frame], [])),
    fromUpstream: (frame) => may('frames.fromUpstream', translated([], [frame])),
  }),
}
const inquiry = (name, value) => ({
  request: (channel) => may(name + '.request', { method: 'GET', url: channel.baseUrl + '/list', headers: {} }),
  read: () => may(name + '.read', { value }),
})
export default () => ({
  operations: { chat: [chat, known], embeddings, realtime },
  models: inquiry('models', ['one']),
  balance: inquiry('balance', '1.5'),
  faultOf: () => may('faultOf'),
  authorize: (key) => may('authorize', Promise.resolve({ key, expiresAt: 1 })),
})
`

const guard = `${preamble}
export default () => ({ check: () => may('check') })
`

const settleGuard = `${preamble}
export default () => ({ check: () => may('settle check') })
`

const endpoint = `${preamble}
export default () => ({
  routes: {
    answer: { kind: 'answer', answer: () => may('answer route', Promise.resolve({ status: 200, body: {} })) },
    relay: { kind: 'relay', receive: () => may('receive', {}) },
  },
})
`

const management = `${preamble}
export default () => ({ routes: { read: { handle: () => may('handle', {}) } } })
`

const oauth = `${preamble}
export default () => ({
  authorize: () => may('authorize sign-in', new URL('https://id.example/')),
  identify: () => may('identify', Promise.resolve({ subject: 'a' })),
  ready: () => may('ready sign-in', true),
})
`

const notifier = `${preamble}
export default () => ({
  deliver: () => may('deliver', Promise.resolve({ kind: 'delivered' })),
  faultOf: () => may('faultOf notice'),
  ready: () => may('ready notifier', true),
})
`

const service = (verb: string) => `
export default () => ({ ${verb}() { throw new Error('boom in ${verb}') } })
`

const manifests = {
  'provider.bad': {
    hosts: ['channel'],
    channelTypes: [{ id: 950, name: 'bad', baseUrl: '' }],
  },
  'guard.bad': { guards: { stage: 'auth', where: 'after' } },
  'guard.settle': { guards: { stage: 'settle', where: 'before' } },
  'endpoint.bad': {
    routes: [route('answer', 'GET', '/v1/bad', 'none'), route('relay', 'POST', '/v1/bad', 'json')],
  },
  'management.bad': {
    routes: [{ ...route('read', 'GET', '/api/bad', 'none'), limiter: 'api' }],
  },
  'oauth.bad': {
    oauth: { style: 'redirect' },
    settings: [{ name: 'one', type: 'string', default: '', title: 'One' }],
  },
  'notifier.bad': {},
  'service.start': {},
  'service.stop': {},
} as const

function route(name: string, method: string, path: string, body: string) {
  return { name, method, path, credential: 'none', body, limiter: 'none' }
}

const code: Readonly<Record<keyof typeof manifests, string>> = {
  'provider.bad': provider,
  'guard.bad': guard,
  'guard.settle': settleGuard,
  'endpoint.bad': endpoint,
  'management.bad': management,
  'oauth.bad': oauth,
  'notifier.bad': notifier,
  'service.start': service('start'),
  'service.stop': service('stop'),
}

/** A folder of plugins, one of each kind that third parties may add. */
export function throwingPlugins(t: Pick<Test, 'testdir'>): URL {
  const folders = Object.entries(manifests).map(([id, more]) => {
    const kind = id.slice(0, id.indexOf('.'))
    const manifest = {
      ...{
        id,
        kind,
        engines: { waybill: '^1.0' },
        version: '1.0.0',
        title: id,
        entry: './index.js',
      },
      ...more,
    }
    const files = {
      'manifest.json': JSON.stringify(manifest),
      'index.js': code[id as keyof typeof manifests],
    }
    return [id, files] as const
  })
  return pathToFileURL(`${t.testdir(Object.fromEntries(folders))}/`)
}

export interface Line {
  readonly fields: Readonly<Record<string, unknown>>
  readonly message: string
}

/** A log whose lines are kept. */
export function keptLog(): Log & { readonly lines: Line[] } {
  const lines: Line[] = []
  const take = (fields: object, message: string) =>
    void lines.push({ fields: { ...fields }, message })
  return { lines, debug() {}, info() {}, warn: take, error: take }
}

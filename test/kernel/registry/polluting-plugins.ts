/** Plugins that put `__proto__` and `constructor` into everything they return, as own members. */
import { pathToFileURL } from 'node:url'
import type { Test } from 'tap'
import { manifestOf } from './plugins.js'

const preamble = `
const poison = () => JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')
const poisoned = (value) => Object.defineProperty(
  { ...value, constructor: poison().constructor }, '__proto__', { value: { polluted: true }, enumerable: true })
`

const provider = `${preamble}
const at = { choice: 0, part: 0 }
const events = [
  { type: 'start' },
  { type: 'open', at, part: { kind: 'text' } },
  { type: 'delta', at, text: 'poisoned', citation: poison(), logprobs: poison() },
  { type: 'close', at, whole: poison() },
  { type: 'note', of: 'provider.bad', raw: poison() },
  { type: 'usage', usage: poisoned({ input: 1, output: 1 }), raw: poison(), final: true },
  { type: 'stop', choice: 0, reason: 'end', word: 'end' },
  { type: 'end' },
].map(poisoned)
const shared = {
  address: (_wire, channel) => poisoned({ method: 'POST', url: channel.baseUrl + '/own', headers: Object.defineProperty({ a: 'b' }, '__proto__', { value: 'x', enumerable: true }) }),
  fail: (status) => poisoned({ blame: 'upstream', status, code: 'upstream_error', message: 'failed' }),
}
const own = {
  ...shared,
  format: 'own',
  serves: (_channel, model) => model === 'own',
  streamTypes: ['application/json'],
  ownFields: ['__proto__', 'constructor'],
  encode: () => poisoned({ turns: 1 }),
  unsupportedFields: () => poisoned({ refuse: [], report: ['__proto__'] }),
  read: () => ({ push: () => [], flush: () => events }),
}
const known = {
  ...shared,
  format: 'chat',
  serves: (_channel, model) => model === 'known',
  refuses: () => ['__proto__', 'constructor', '__proto__.polluted'],
  adjust: (wire) => poisoned(wire),
}
export default () => ({ operations: { chat: [own, known] } })
`

const notifier = `${preamble}
export default () => ({ deliver: async () => poisoned({ kind: 'delivered' }), ready: () => true })
`

const code = { 'provider.bad': provider, 'notifier.bad': notifier } as const

export function pollutingPlugins(t: Pick<Test, 'testdir'>): URL {
  const more = {
    'provider.bad': {
      hosts: ['channel'],
      channelTypes: [{ id: 950, name: 'bad', baseUrl: '' }],
      channelSettings: [{ name: 'a', type: 'string', title: 'A' }],
    },
    'notifier.bad': { userSettings: [{ name: 'bad_field', type: 'string', title: 'A' }] },
  } as const
  const folders = Object.entries(code).map(([id, text]) => {
    const manifest = JSON.stringify(manifestOf(id, more[id as keyof typeof code]))
    const poisoned = manifest.replaceAll('{', '{"__proto__":{"polluted":true},')
    return [id, { 'manifest.json': poisoned, 'index.js': text }] as const
  })
  return pathToFileURL(`${t.testdir(Object.fromEntries(folders))}/`)
}

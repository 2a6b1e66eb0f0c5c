/** Fields that are left out unless the channel lets them pass. */
import t from 'tap'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import { done, wireOf } from './stage-kit.js'

const base = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }

const rows: readonly (readonly [string, JsonObject, JsonObject, string])[] = [
  ['service_tier', { service_tier: 'flex' }, {}, 'allow_service_tier'],
  ['inference_geo', { inference_geo: 'us' }, {}, 'allow_inference_geo'],
  ['speed', { speed: 'fast' }, {}, 'allow_speed'],
  ['safety_identifier', { safety_identifier: 'u1' }, {}, 'allow_safety_identifier'],
  [
    'include_obfuscation',
    { stream_options: { include_obfuscation: true } },
    {},
    'allow_include_obfuscation',
  ],
  [
    'include_obfuscation beside others',
    { stream_options: { include_obfuscation: true, include_usage: true } },
    { stream_options: { include_usage: true } },
    'allow_include_obfuscation',
  ],
]

for (const format of ['chat', 'messages', 'responses']) {
  t.test(
    `what is not allowed is left out of ${format} bodies, even an explicit null`,
    async (t) => {
      for (const [name, sent, left, setting] of rows) {
        const body = { ...base, ...sent }
        t.same(wireOf(body, { format }), { ...base, ...left }, name)
        const allowed = { settings: { [setting]: true } }
        t.equal(wireOf(body, { format, channel: allowed }), body, `${name}, allowed`)
        const asText = { settings: { [setting]: 'true' } }
        t.same(
          wireOf(body, { format, channel: asText }),
          { ...base, ...left },
          `${name}, nearly allowed`,
        )
      }
      t.same(wireOf({ ...base, speed: null }, { format }), base)
    },
  )
}

t.test('[FMT-5] a stream that is queried to go without padding stays queried', async (t) => {
  const body = { ...base, stream: true, stream_options: { include_obfuscation: false } }
  t.equal(wireOf(body), body)
})

t.test('store passes unless the channel holds it back', async (t) => {
  const body = { ...base, store: false }
  t.equal(wireOf(body), body)
  t.same(wireOf(body, { channel: { settings: { disable_store: true } } }), base)
})

t.test('other formats, operations and forms have no such fields', async (t) => {
  const sent = { contents: [], service_tier: 'x', speed: 2 }
  t.equal(wireOf(sent, { format: 'generative' }), sent)
  const work = { limits: () => ({}), estimate: () => ({}) } as never
  t.equal(wireOf({ speed: 2 }, { state: { work, upstreamFormat: undefined } }).speed, 2)
  const form = { kind: 'form', fields: { speed: '2' }, files: [] } as const
  const { wire } = done({}, { state: { work, upstreamFormat: undefined, wire: form } })
  t.equal(wire, form)
})

t.test('what the upstream insists on is not taken away again', async (t) => {
  const adapter = {
    format: 'chat',
    adjust: (wire: JsonObject) => ({ ...wire, service_tier: 'ours' }),
  } as never
  t.equal(wireOf({ ...base, service_tier: 'theirs' }, { state: { adapter } }).service_tier, 'ours')
})

t.test('the body without such fields is the very same, bytes and all', async (t) => {
  const text =
    '{ "model":"m", "messages":[{"role":"user","content":"hi"}], "seed":9007199254740993 }'
  const { wire } = done(text)
  t.equal(wire.kind === 'json' && wire.bytes?.toString(), text)
})

t.test('what is left out is named to the client', async (t) => {
  const body = { ...base, service_tier: 'flex', stream_options: { include_obfuscation: true } }
  t.same(done(body).lost, ['service_tier', 'stream_options.include_obfuscation'])
  t.same(done(base).lost, [])
})

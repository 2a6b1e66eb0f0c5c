/** What a plugin from outside can reach: its own settings, the services it requires, the hosts it names, and no key of a request. */
import t from 'tap'
import type { OutgoingKit } from '../../../kernel/contract/kit.js'
import type { Manifest } from '../../../kernel/contract/manifest.js'
import { FakeSource } from '../../kit/fakes.js'
import { fromOutside, outsideWorld } from './outside-plugins.js'
import { found } from './plugins.js'

const secret = [{ name: 'secret', type: 'secret', title: 'Secret' }]
const hook = { guards: { stage: 'auth', where: 'after' } }
const channelTypes = [{ id: 901, name: 'a', baseUrl: '' }]

/** The kit each plugin was created with, by id; settings come from a source that knows those of everybody. */
async function kitsOf(plugins: readonly ReturnType<typeof found>[]) {
  const kits: Record<string, Readonly<Record<string, unknown>>> = {}
  const created = plugins.map((plugin) =>
    fromOutside({
      ...plugin,
      load: async (entry) => {
        const { default: create } = (await plugin.load(entry)) as { default(kit: never): unknown }
        const { id } = JSON.parse(plugin.text) as Manifest
        return {
          default(kit: never) {
            kits[id] = kit
            return create(kit)
          },
        }
      },
    }),
  )
  const asked: string[] = []
  const options = found('service.options', {}, () => ({
    of({ id, settings }: Manifest) {
      asked.push(id)
      const all = Object.fromEntries(settings.map(({ name }) => [name, `${name} of ${id}`]))
      return Object.freeze({ all, string: (name: string) => all[name] ?? '' })
    },
  }))
  const requests: { url: string }[] = []
  const egress = {
    async open(request: { url: string }) {
      requests.push(request)
      const body = new FakeSource()
      setImmediate(() => body.end())
      return { status: 302, headers: { location: 'https://evil.example/' }, body }
    },
    dial: async () => ({}),
  }
  const ledger = found('service.ledger', {}, () => ({ secret: 'books' }))
  const world = await outsideWorld([options, ledger, found('stage.auth'), ...created], {
    line: ['auth'],
    kernelServices: { egress } as never,
  })
  const { registry } = world
  for (const { manifest, state } of registry.catalog.list()) {
    if (state === 'failed') continue
    if (['payment', 'oauth', 'notifier'].includes(manifest.kind)) await registry.load(manifest.id)
  }
  return { kits, asked, requests, world }
}

t.test('a kit is frozen, and holds the parts of its kind and nothing else', async (t) => {
  const outgoing = ['clock', 'dial', 'fetch', 'log', 'settings']
  const whole = ['clock', 'log', 'services', 'settings']
  const callback = { payment: { callback: [] } }
  const table: readonly (readonly [ReturnType<typeof found>, readonly string[]])[] = [
    [
      found('provider.a', { channelTypes, settings: secret }, () => ({ operations: {} })),
      ['settings'],
    ],
    [found('format.a', {}, () => ({ name: 'a' })), ['settings']],
    [found('operation.a'), ['settings']],
    [found('guard.a', hook), ['fetch', 'log', 'settings']],
    [found('oauth.a', {}, () => ({ identify() {}, ready: () => true })), outgoing],
    [found('notifier.a', {}, () => ({ deliver() {} })), outgoing],
    [found('payment.a', callback, () => ({ offer() {}, checkout() {} })), outgoing],
    [found('service.a', { requires: ['ledger'] }), whole],
    [found('management.a'), whole],
    [found('endpoint.a'), whole],
  ]
  const { kits, world } = await kitsOf(table.map(([plugin]) => plugin))
  for (const [plugin, parts] of table) {
    const { id } = JSON.parse(plugin.text) as Manifest
    const kit = kits[id] ?? {}
    t.strictSame(Object.keys(kit).sort(), parts, id)
    t.ok(Object.isFrozen(kit), id)
    if ('services' in kit) t.ok(Object.isFrozen(kit.services), id)
  }
  t.strictSame(kits['service.a']?.services, { ledger: { secret: 'books' } })
  t.strictSame(kits['management.a']?.services, {}, 'what it did not require is not there')
  t.equal(world.registry.catalog.list().filter(({ state }) => state === 'failed').length, 0)
})

t.test('a plugin reads its own settings alone, secrets included', async (t) => {
  const { kits, asked } = await kitsOf([
    found('oauth.a', { settings: secret }, () => ({ identify() {}, ready: () => true })),
    found('notifier.b', { settings: secret }, () => ({ deliver() {} })),
  ])
  const settingsOf = (id: string) => (kits[id] as unknown as OutgoingKit).settings
  t.strictSame(settingsOf('oauth.a').all, { secret: 'secret of oauth.a' })
  t.strictSame(settingsOf('notifier.b').all, { secret: 'secret of notifier.b' })
  t.strictSame(asked.filter((id) => /^(oauth|notifier)/.test(id)).sort(), ['notifier.b', 'oauth.a'])
  const thief = { settings: [{ ...secret[0], option: 'oauth.a.secret' }] }
  const { world } = await kitsOf([
    found('oauth.a', { settings: secret }, () => ({ identify() {}, ready: () => true })),
    found('notifier.b', thief, () => ({ deliver() {} })),
  ])
  const status = world.registry.catalog.list().find(({ manifest }) => manifest.id === 'notifier.b')
  t.match(status, {
    state: 'failed',
    reason: /claims the option oauth\.a\.secret, which oauth\.a has/,
  })
})

t.test('calls reach the hosts a manifest names, and no redirect leads on', async (t) => {
  const hosts = ['api.example', '*.cdn.example']
  const { kits, requests } = await kitsOf([
    found('notifier.a', { hosts }, () => ({ deliver() {} })),
  ])
  const { fetch, dial } = kits['notifier.a'] as unknown as OutgoingKit
  const refused = [
    ...[
      'https://evil.example/',
      'http://api.example@evil.example/',
      'https://api.example.evil.example/',
    ],
    ...['https://cdn.example/', 'https://127.0.0.1/', 'file:///etc/passwd', 'no address'],
  ]
  for (const url of refused) await t.rejects(fetch(url), { name: 'EgressError' }, url)
  await t.rejects(dial('api.example', 25), { name: 'EgressError' })
  t.strictSame(requests, [])
  const answer = await fetch('https://api.example/a')
  t.equal(answer.status, 302, 'a redirect is an answer')
  t.strictSame(
    requests.map(({ url }) => url),
    ['https://api.example/a'],
  )
})

t.test('a guard meets the request without keys and without what acts on it', async (t) => {
  const met: Record<string, unknown>[] = []
  const guard = found('guard.a', hook, () => ({
    check(state: Record<string, unknown>) {
      met.push(state)
      const open = state as { model?: string }
      t.throws(() => {
        open.model = 'another'
      }, TypeError)
    },
  }))
  const { world } = await kitsOf([guard])
  const [bound] = world.registry.guards('auth', 'after')
  const state = {
    ...{ requestId: 'req_1', model: 'm', body: { kind: 'none' }, key: 'sk-1', hold: {}, claim: {} },
    ...{ sink: {}, room: {}, credential: { kind: 'key', key: 'sk-2' } },
    client: {
      headers: {
        authorization: 'Bearer sk-3',
        'x-api-key': 'sk-4',
        cookie: 'session=sk-5',
        accept: '*/*',
      },
      query: { key: 'sk-6', page: '2' },
      address: '192.0.2.1',
    },
    channel: {
      ...{ id: 7, name: 'c', keys: [{ id: 1, text: 'sk-7' }], proxy: 'http://u:sk-8@p' },
      headerOverride: { authorization: 'sk-9' },
    },
  }
  const copy = structuredClone(state)
  await bound!.check(state as never)
  t.strictSame(met, [
    {
      ...{ requestId: 'req_1', model: 'm', body: { kind: 'none' } },
      client: { headers: { accept: '*/*' }, query: { page: '2' }, address: '192.0.2.1' },
      channel: { id: 7, name: 'c' },
    },
  ])
  t.notOk(JSON.stringify(met).includes('sk-'))
  t.strictSame(state, copy, 'the request is as it was')
})

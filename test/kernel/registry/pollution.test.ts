/** Names like `__proto__` in manifests, settings and what plugins return: nothing reaches what all objects inherit. */
import t, { type Test } from 'tap'
import { givenSettings } from '../../../kernel/registry/declared-settings.js'
import { inspectManifest, readManifest } from '../../../kernel/registry/manifest.js'
import { ask, scriptedGateway } from '../../kit/scripted-gateway.js'
import { chat, json } from '../../kit/upstream.js'
import { fromOutside, outsideWorld, providerOf, sound, thrown } from './outside-plugins.js'
import { found, manifestOf, registryOf, stateOf } from './plugins.js'
import { pollutingPlugins } from './polluting-plugins.js'

const before = Object.getOwnPropertyNames(Object.prototype)

/** As `JSON.parse` makes it: an own member of that name. */
const poison = JSON.parse(
  '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
)

function assertClean(t: Test): void {
  t.strictSame(Object.getOwnPropertyNames(Object.prototype), before)
  t.equal(({} as { polluted?: boolean }).polluted, undefined)
}

t.test('a manifest sets nothing its objects inherit, at any depth', async (t) => {
  const channelTypes = [{ id: 901, name: 'a', baseUrl: '' }]
  const fields = [{ name: 'one', type: 'json', title: 'One', default: { a: 1 } }]
  const form = [{ operation: 'video', fields: [{ name: 'f', type: 'text', title: 'F' }] }]
  const text = JSON.stringify(
    manifestOf('task.bad', {
      ...{ channelTypes, settings: fields, channelSettings: fields, requestFields: form },
      translations: { en: { One: 'one' } },
    }),
  )
  const poisoned = text.replaceAll('{', '{"__proto__":{"polluted":true,"x":"y"},')
  const { manifest } = inspectManifest(poisoned, 'manifest.json')
  t.strictSame(manifest, readManifest(text, 'manifest.json'))
  const objects: object[] = [manifest]
  for (const one of objects) {
    t.ok([Object.prototype, Array.prototype].includes(Object.getPrototypeOf(one)))
    t.notOk('polluted' in one)
    for (const value of Object.values(one))
      if (typeof value === 'object' && value) objects.push(value)
  }
  t.ok(objects.length > 10)
  assertClean(t)
})

t.test('no name of a manifest is one that every object has', async (t) => {
  const field = (name: string) => [{ name, type: 'string', title: 'T' }]
  const route = { method: 'GET', path: '/a', credential: 'none', body: 'none', limiter: 'api' }
  const table: readonly (readonly [ReturnType<typeof found>, RegExp])[] = [
    [
      found('service.a', { settings: field('constructor') }),
      /"settings\[0\]\.name" is a name that every object has/,
    ],
    [
      found('service.a', { settings: field('toString') }),
      /"settings\[0\]\.name" is a name that every/,
    ],
    [found('service.a', { settings: field('__proto__') }), /"settings\[0\]\.name"/],
    [
      found('management.a', { routes: [{ ...route, name: 'valueOf' }] }),
      /"routes\[0\]\.name" is a name that/,
    ],
    [
      found('service.constructor'),
      /"id" is "service\.constructor", whose name is one that every object has/,
    ],
  ]
  for (const [plugin, reason] of table) {
    const registry = await registryOf([plugin])
    t.match(registry.catalog.list()[0], { state: 'failed', reason })
  }
  assertClean(t)
})

t.test('settings of a copy are those its manifest declares, whatever is stored', async (t) => {
  const fields = [{ name: 'one', type: 'string', title: 'One', default: 'usual' }]
  const manifest = readManifest(
    JSON.stringify(manifestOf('oauth.bad', { instanceSettings: fields })),
    'manifest.json',
  )
  const settings = givenSettings(manifest, { ...poison, one: 'mine' })
  t.strictSame(settings.all, { one: 'mine' })
  t.equal(Object.getPrototypeOf(settings.all), Object.prototype)
  t.throws(() => settings.string('__proto__'), {
    message: 'oauth.bad declares no setting "__proto__"',
  })
  t.throws(() => settings.string('constructor'), /declares no setting/)
  assertClean(t)
})

t.test('what a provider is made of and returns reaches no other object', async (t) => {
  const operations = JSON.parse('{"__proto__":{"polluted":true}}')
  const create = () => ({
    operations: Object.assign(operations, { chat: { ...sound, ...poison } }),
  })
  const world = await outsideWorld([fromOutside(providerOf({}, create))])
  t.equal(stateOf(world.registry, 'provider.bad')?.state, 'failed')
  for (const verb of ['address', 'failureIn', 'encode'] as const) {
    const { adapter } = await outsideWorld([fromOutside(providerOf({ [verb]: () => poison }))])
    thrown(() => adapter()![verb]!({} as never, {} as never, {} as never, {} as never))
  }
  assertClean(t)
})

t.test('a whole gateway stays clean among plugins that return such names everywhere', async (t) => {
  const here = await scriptedGateway(t, { roots: [pollutingPlugins(t)] })
  const { admin, upstream } = here
  upstream.script(json(200, chat.whole('fine', 1, 1)))
  await admin.option('ModelRatio', { 'gpt-4o-mini': 1, own: 1, known: 1, e: 1 })
  const channel = {
    ...{ name: 'own', key: 'k', base_url: upstream.url, models: 'own,known,e', type: 950 },
    ...{ group: 'default', priority: 10 },
  }
  const settings = JSON.stringify({ ...poison, a: 'b' })
  await t.rejects(admin.channel({ ...channel, settings }), /"__proto__", which is not allowed/)
  await admin.channel({ ...channel, settings: '{"a":"b"}' })
  for (const model of ['own', 'known']) {
    for (const stream of [false, true]) {
      const plain = JSON.stringify(ask({ model, stream }))
      const poisoned = `{"__proto__":{"polluted":true},${plain.slice(1)}`
      for (const [body, status] of [
        [plain, 200],
        [poisoned, 400],
      ] as const) {
        const answer = await fetch(`${here.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${here.key}`, 'content-type': 'application/json' },
          body,
        })
        const text = await answer.text()
        t.equal(answer.status, status, text)
        assertClean(t)
      }
    }
  }
  await admin.call('PUT', '/api/user/setting', { notify_type: 'bad', ...poison })
  await admin.call('POST', '/api/user/setting/test', {})
  await admin.call('GET', '/api/plugins')
  t.equal((await here.chat(ask())).status, 200)
  assertClean(t)
})

/** Plugins that fail: shown with the reason, isolated, and what the gateway does not start without. */
import t from 'tap'
import { FakeClock } from '../../kit/clock.js'
import { found, registryOf, stateOf, witness } from './plugins.js'

t.test(
  'a plugin that fails is shown with the reason, and takes along only what requires it',
  async (t) => {
    const logged: object[] = []
    const log = {
      debug() {},
      info() {},
      warn() {},
      error: (fields: object) => void logged.push(fields),
    }
    const registry = await registryOf(
      [
        found('service.bad', {}, () => {
          throw new Error('no luck today')
        }),
        found('service.above', { requires: ['bad'] }),
        found('management.top', { requires: ['above'] }),
        found('service.fine'),
        found('management.fine', { requires: ['fine'] }),
      ],
      { log },
    )
    await registry.start()
    t.match(stateOf(registry, 'service.bad'), { state: 'failed', reason: 'no luck today' })
    t.match(stateOf(registry, 'service.above'), {
      state: 'failed',
      reason: 'it requires the service "bad", which failed',
    })
    t.match(
      stateOf(registry, 'management.top')?.reason,
      'it requires the service "above", which failed',
    )
    t.equal(stateOf(registry, 'management.fine')?.state, 'ready')
    t.ok(registry.service('fine' as 'catalog'))
    t.equal(registry.service('catalog'), registry.catalog)
    t.throws(() => registry.service('bad' as 'catalog'), {
      message: 'the service "bad" cannot be used: no luck today',
    })
    t.strictSame(
      registry.managements().map(({ manifest }) => manifest.id),
      ['management.fine'],
    )
    t.match(logged[0], { plugin: 'service.bad', reason: 'no luck today', err: Error })
  },
)

t.test('each way a plugin can be wrong has its sentence', async (t) => {
  const routes = [
    { name: 'read', method: 'GET', path: '/a', credential: 'none', body: 'none', limiter: 'api' },
  ]
  const channelTypes = [{ id: 901, name: 'a', baseUrl: '' }]
  const own = { format: 'own', address() {} }
  const circle = { requires: ['c'] }
  const table: readonly (readonly [plugin: ReturnType<typeof found>, reason: string | RegExp])[] = [
    [found('service.a', { title: '' }), /^\/plugins\/service\.a\/manifest\.json: "title" is not/],
    [
      found('service.a', { requires: ['b'] }),
      /manifest\.json: "requires" names "b", which no plugin/,
    ],
    [
      { ...found('service.a'), load: async () => ({}) },
      './index.js has no default export create(kit)',
    ],
    [
      { ...found('service.a'), load: () => Promise.reject(new Error('no such file')) },
      'no such file',
    ],
    [found('service.a', {}, () => undefined), 'create(kit) answered no object'],
    [found('service.a', {}, async () => ({})), 'create(kit) answered a promise'],
    [
      found('guard.a', { guards: { stage: 'auth', where: 'after' } }, () => ({})),
      'create(kit) answered no "check"',
    ],
    [
      found('provider.a', { channelTypes }, () => ({ operations: { chat: { format: 'chat' } } })),
      'create(kit) answered "chat" without "address"',
    ],
    [
      found('provider.a', { channelTypes }, () => ({
        operations: { chat: [{ ...own, fail() {} }] },
      })),
      'create(kit) answered "chat" without "encode"',
    ],
    [
      found('provider.a', { channelTypes }, () => ({ operations: { rerank: own } })),
      'create(kit) answered "rerank" without "fail"',
    ],
    [found('format.a', {}, () => ({ name: 'b' })), 'create(kit) answered the name "b", not "a"'],
    [found('endpoint.a', {}, () => ({})), 'create(kit) answered no "routes"'],
    [found('management.a', { routes }), 'create(kit) answered nothing for the route "read"'],
    [
      found('management.a', {}, () => ({ routes: { extra: {} } })),
      'create(kit) answered a route "extra" the manifest lacks',
    ],
    [found('service.c', circle), 'service.c requires service.c: a circle'],
    [
      found('guard.a', { guards: { stage: 'nowhere', where: 'after' } }),
      /manifest\.json: "guards.stage" names "nowhere", which is no stage of the line\.$/,
    ],
  ]
  for (const [plugin, reason] of table) {
    const registry = await registryOf([plugin, found('stage.auth')], { line: ['auth'] })
    await registry.providers.warm(901)
    const status = registry.catalog.list().find(({ manifest }) => manifest.kind !== 'stage')
    t.equal(status?.state, 'failed')
    t.match(status?.reason, reason)
  }
  await t.rejects(registryOf([{ ...found('service.a'), text: '{"title":"x"}' }]), {
    message: '/plugins/service.a/manifest.json: "id" is required.',
  })
})

t.test('without a stage or a core service the gateway does not start', async (t) => {
  const broken = () => {
    throw new Error('no luck today')
  }
  const core = ['ledger']
  await t.rejects(registryOf([found('stage.auth', {}, broken)]), {
    message: 'The gateway does not run without stage.auth: no luck today.',
  })
  await t.rejects(registryOf([found('service.ledger', {}, broken)], { core }), {
    message: 'The gateway does not run without service.ledger: no luck today.',
  })
  await t.rejects(registryOf([found('service.ledger', { version: '1' })], { core }), {
    message: /^The gateway does not run without service\.ledger: .*"version".*[^.]\.$/,
  })
  await t.rejects(registryOf([], { core }), {
    message: 'The gateway does not run without service.ledger: there is no such plugin.',
  })
  await t.rejects(registryOf([found('stage.auth')], { line: ['auth', 'settle'] }), {
    message: 'The gateway does not run without stage.settle: there is no such plugin.',
  })
  await t.rejects(
    registryOf([found('stage.auth', { requires: ['bad'] }), found('service.bad', {}, broken)]),
    {
      message:
        'The gateway does not run without stage.auth: it requires the service "bad", which failed.',
    },
  )
})

t.test('a core service that fails to start stops what was started', async (t) => {
  const seen: string[] = []
  const registry = await registryOf(
    [
      witness('service.a', seen),
      found('service.ledger', { requires: ['a'] }, () => ({
        start: () => Promise.reject(new Error('the books do not add up')),
      })),
      witness('stage.auth', seen, { requires: ['ledger'] }),
    ],
    { core: ['ledger'] },
  )
  await t.rejects(registry.start(), {
    message: 'The gateway does not run without service.ledger: the books do not add up.',
  })
  t.strictSame(seen, ['create service.a', 'create stage.auth', 'start service.a', 'stop service.a'])
})

t.test('a start that takes longer than 30 s fails the plugin, and the rest goes on', async (t) => {
  const clock = new FakeClock()
  const registry = await registryOf(
    [found('service.slow', {}, () => ({ start: () => new Promise(() => {}) })), found('service.z')],
    { clock },
  )
  const starting = registry.start()
  await new Promise((resolve) => setImmediate(resolve))
  clock.advance(30_000)
  await starting
  t.match(stateOf(registry, 'service.slow'), {
    state: 'failed',
    reason: 'start took longer than 30 s',
  })
  t.equal(stateOf(registry, 'service.z')?.state, 'ready')
  t.equal(clock.pending, 0)
})

t.test('a stop that fails is logged and the others are stopped all the same', async (t) => {
  const seen: string[] = []
  const registry = await registryOf([
    witness('service.a', seen),
    found('service.b', { requires: ['a'] }, () => ({
      stop: () => Promise.reject(new Error('stuck')),
    })),
  ])
  await registry.start()
  await registry.stop()
  t.strictSame(seen, ['create service.a', 'start service.a', 'stop service.a'])
  t.match(stateOf(registry, 'service.b'), { state: 'failed', reason: 'stuck' })
})

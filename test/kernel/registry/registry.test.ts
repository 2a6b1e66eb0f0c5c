/** The life of plugins: created with what they may have, started in order, stopped in reverse. */
import t from 'tap'
import type { Services } from '../../../kernel/contract/service.js'
import { createContainer } from '../../../kernel/registry/container.js'
import { discover } from '../../../kernel/registry/discovery.js'
import { found, registryOf, stateOf, witness } from './plugins.js'

const builtIn = new URL('../../fixtures/registry/built-in/', import.meta.url)

/** A kernel service of a test; what it does is the test's own business. */
const kernel = (services: Readonly<Record<string, unknown>>) => services as Partial<Services>

t.test(
  'plugins are the folders with a manifest, not deeper than three and none inside another',
  async (t) => {
    const seen = await discover([builtIn])
    t.strictSame(
      seen.map(({ where }) => where.slice(where.lastIndexOf('built-in/'))),
      ['built-in/management/hello/manifest.json', 'built-in/services/greeter/manifest.json'],
    )
    await t.rejects(discover([new URL('nowhere/', builtIn)]), {
      message: /^The plugin folder .*nowhere\/ cannot/,
    })
  },
)

t.test('folders of packages and hidden ones are no plugins', async (t) => {
  const root = t.testdir({
    node_modules: { a: { 'manifest.json': '{}' } },
    '.git': { 'manifest.json': '{}' },
    'a b': { 'manifest.json': '{ "id": "service.spaced" }' },
  })
  const seen = await discover([new URL(`file://${root}`)])
  t.strictSame(
    seen.map(({ text }) => text),
    ['{ "id": "service.spaced" }'],
  )
})

t.test('plugins of a folder are imported beside their manifest and serve each other', async (t) => {
  const registry = await registryOf([], { roots: [builtIn] })
  await registry.start()
  const [hello] = registry.managements()
  t.equal(hello?.manifest.id, 'management.hello')
  t.equal(await hello?.management.routes.read?.handle({} as never), 'hello, you')
  t.match(registry.catalog.list(), [
    { manifest: { id: 'service.greeter' }, state: 'ready' },
    { manifest: { id: 'management.hello' }, state: 'ready' },
  ])
})

t.test('plugins start in load order and stop in reverse', async (t) => {
  const seen: string[] = []
  const registry = await registryOf([
    witness('stage.auth', seen, { requires: ['b'] }),
    witness('service.a', seen),
    witness('service.b', seen, { requires: ['a'] }),
  ])
  t.strictSame(seen.splice(0), ['create service.a', 'create service.b', 'create stage.auth'])
  t.equal(stateOf(registry, 'service.a')?.state, 'created')
  await registry.start()
  t.strictSame(seen.splice(0), ['start service.a', 'start service.b', 'start stage.auth'])
  t.equal(stateOf(registry, 'service.a')?.state, 'ready')
  await registry.stop()
  t.strictSame(seen, ['stop stage.auth', 'stop service.b', 'stop service.a'])
  t.equal(stateOf(registry, 'service.a')?.state, 'stopped')
})

t.test('a plugin sees exactly the services it requires, frozen', async (t) => {
  let kit: { services: Record<string, unknown> } | undefined
  const database = { query() {} }
  await registryOf(
    [
      found('service.ledger'),
      found('service.secretive'),
      found('management.a', { requires: ['ledger', 'database'] }, (given: never) => {
        kit = given
        return { routes: {} }
      }),
    ],
    { kernelServices: kernel({ database, egress: {} }) },
  )
  t.strictSame(Object.keys(kit?.services ?? {}).sort(), ['database', 'ledger'])
  t.equal(kit?.services.database, database, 'by value')
  t.ok(Object.isFrozen(kit) && Object.isFrozen(kit?.services))
})

t.test('what one plugin was granted cannot be resolved for another', async (t) => {
  const container = createContainer()
  container.provide('ledger', { balance: 1 })
  container.provide('egress', {})
  t.strictSame(Object.keys(container.grant(['ledger'])), ['ledger'])
  t.strictSame(container.grant([]), {})
  t.throws(() => container.grant(['database']), { message: 'there is no service "database"' })
  t.throws(() => container.provide('ledger', {}), {
    message: 'the service "ledger" is already there',
  })
  t.throws(() => createContainer().get('egress'), { message: 'there is no service "egress"' })
})

t.test('a kit holds what its kind may have and nothing else', async (t) => {
  const kits: Record<string, string[]> = {}
  const keep = (id: string, answer: object) => (kit: never) => {
    kits[id] = Object.keys(kit)
    return answer
  }
  const guards = { stage: 'auth', where: 'after' }
  const registry = await registryOf(
    [
      found('format.chat', {}, keep('format', { name: 'chat' })),
      found('operation.a', {}, keep('operation', {})),
      found('guard.a', { guards }, keep('guard', { check() {} })),
      found('stage.auth', {}, keep('stage', { run() {} })),
      found('service.a', {}, keep('service', {})),
      found('endpoint.a', {}, keep('endpoint', { routes: {} })),
      found('management.a', {}, keep('management', { routes: {} })),
      found('notifier.a', {}, keep('notifier', { deliver() {} })),
      found(
        'provider.a',
        { channelTypes: [{ id: 901, name: 'a', baseUrl: '' }] },
        keep('provider', { operations: {} }),
      ),
    ],
    { line: ['auth'], kernelServices: kernel({ egress: {} }) },
  )
  await registry.providers.warm(901)
  await registry.load('notifier.a')
  const whole = ['settings', 'clock', 'log', 'services']
  t.strictSame(kits, {
    format: ['settings'],
    operation: ['settings'],
    provider: ['settings'],
    guard: ['settings', 'log', 'fetch'],
    notifier: ['settings', 'clock', 'log', 'fetch', 'dial'],
    stage: whole,
    service: whole,
    endpoint: whole,
    management: whole,
  })
})

t.test('lines of a plugin carry its id', async (t) => {
  const lines: object[] = []
  const log = {
    debug() {},
    info: (fields: object) => void lines.push(fields),
    warn() {},
    error() {},
  }
  await registryOf(
    [
      found('service.a', {}, ({ log: own }: { log: typeof log }) => {
        own.info({ count: 1 })
        return {}
      }),
    ],
    { log },
  )
  t.strictSame(lines, [{ plugin: 'service.a', count: 1 }])
})

t.test(
  'settings come from the options service; what it requires lives on declared defaults',
  async (t) => {
    const read: Record<string, unknown> = {}
    const keep = (id: string) => (kit: { settings: { all: unknown } }) => {
      read[id] = kit.settings.all
      return {}
    }
    const settings = [
      { name: 'size', type: 'number', title: 'Size', default: 3 },
      { name: 'word', type: 'string', title: 'Word' },
    ]
    await registryOf([
      found('service.before', { settings }, ({ settings: own }: never) => {
        const view = own as { [verb: string]: (name: string) => unknown }
        t.equal(view.number?.('size'), 3)
        t.equal(view.string?.('word'), '')
        t.throws(() => view.number?.('weight'), {
          message: 'service.before declares no setting "weight"',
        })
        return {}
      }),
      found('service.options', { requires: ['before'], settings: [] }, (kit: never) => {
        keep('options')(kit)
        return { of: ({ id }: { id: string }) => ({ all: { of: id } }) }
      }),
      found('service.after', {}, keep('after')),
    ])
    t.strictSame(read, { options: {}, after: { of: 'service.after' } })
  },
)

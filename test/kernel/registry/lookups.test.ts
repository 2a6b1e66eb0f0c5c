/** What is found by name, and what is imported only when it is requested. */
import t from 'tap'
import type { Registry } from '../../../kernel/registry/registry.js'
import { planned } from '../../kit/line-fakes.js'
import { found, registryOf, stateOf, witness } from './plugins.js'

t.test('a provider is imported when it is first requested, once however many ask', async (t) => {
  let imports = 0
  const chat = { format: 'chat', address() {}, fail() {} }
  const provider = {
    ...found('provider.acme', {
      channelTypes: [{ id: 901, name: 'acme', baseUrl: 'https://a.example' }],
    }),
    load: async () => {
      imports += 1
      return { default: () => ({ operations: { chat } }) }
    },
  }
  const registry = await registryOf([provider, found('format.chat', {}, () => ({ name: 'chat' }))])
  await registry.start()
  t.equal(imports, 0)
  t.equal(stateOf(registry, 'provider.acme')?.state, 'checked')
  t.equal(registry.providers.defaultBaseUrl(901), 'https://a.example')
  t.equal(registry.providers.defaultBaseUrl(902), undefined)
  t.equal(adapter(registry, 'chat'), undefined, 'not loaded yet')
  await Promise.all([registry.providers.warm(901), registry.providers.warm(901)])
  t.equal(adapter(registry, 'chat')?.format, 'chat')
  t.equal(adapter(registry, 'embeddings'), undefined)
  await registry.providers.warm(901)
  await registry.providers.warm(902)
  t.equal(imports, 1)
  t.equal(stateOf(registry, 'provider.acme')?.state, 'ready')
  t.match(registry.catalog.channelTypes(), [{ id: 901, plugin: 'provider.acme', fields: [] }])
})

t.test('a provider that fails serves nothing and states why', async (t) => {
  const provider = {
    ...found('provider.acme', { channelTypes: [{ id: 901, name: 'acme', baseUrl: '' }] }),
    load: () => Promise.reject(new Error('syntax error')),
  }
  const registry = await registryOf([provider])
  await registry.providers.warm(901)
  t.equal(adapter(registry, 'chat'), undefined)
  t.match(stateOf(registry, 'provider.acme'), { state: 'failed', reason: 'syntax error' })
})

t.test('what is looked up by id is loaded by id, and stopped with the rest', async (t) => {
  const seen: string[] = []
  const registry = await registryOf([witness('oauth.acme', seen), found('service.a')])
  await registry.start()
  await Promise.all([registry.load('oauth.acme'), registry.load('oauth.acme')])
  t.strictSame(seen, ['create oauth.acme', 'start oauth.acme'])
  await t.rejects(registry.load('oauth.other'), { message: 'there is no plugin "oauth.other"' })
  await t.rejects(registry.load('service.a'), { message: 'there is no plugin "service.a"' })
  await registry.stop()
  t.equal(seen.at(-1), 'stop oauth.acme')
})

t.test('the line is printed with its guards, each found where it stands', async (t) => {
  const seen: string[] = []
  const check = () => void seen.push('late')
  const late = { guards: { stage: 'auth', where: 'after' } }
  const registry = await registryOf(
    [
      found('stage.settle'),
      found('stage.auth'),
      found('guard.late', late, () => ({ check })),
      found('guard.bad', late, () => ({})),
      found('guard.early', { guards: { stage: 'settle', where: 'before' } }),
    ],
    { line: ['auth', 'settle'] },
  )
  t.strictSame(registry.catalog.line(), [
    { stage: 'auth', before: [], after: ['late'] },
    { stage: 'settle', before: ['early'], after: [] },
  ])
  for (const guard of registry.guards('auth', 'after')) guard.check(planned())
  t.strictSame(seen, ['late'])
  t.strictSame(registry.guards('auth', 'before'), [])
  t.strictSame(Object.keys(registry.stages()).sort(), ['auth', 'settle'])
})

t.test('formats are found by name', async (t) => {
  const registry = await registryOf([found('format.chat', {}, () => ({ name: 'chat' }))])
  t.equal(registry.formats.get('chat').name, 'chat')
  t.throws(() => registry.formats.get('messages'), { message: 'there is no format "messages"' })
})

function adapter(registry: Registry, operation: 'chat' | 'embeddings') {
  const channel = { id: 1, type: 901, baseUrl: 'https://a.example', settings: {} }
  return registry.providers.adapter(channel, { operation, format: 'chat', model: 'm' })
}

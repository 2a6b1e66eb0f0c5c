/** What functions of plugins throw, return and never return: each becomes a fault of that plugin, and nothing else. */
import t from 'tap'
import type { Adapter } from '../../../kernel/contract/provider.js'
import type { Found } from '../../../kernel/registry/discovery.js'
import { PluginFault } from '../../../kernel/toolkit/errors/index.js'
import { FakeClock } from '../../kit/clock.js'
import { fromOutside, outsideWorld, providerOf, sound, thrown, turn } from './outside-plugins.js'
import { found, registryOf, stateOf } from './plugins.js'

const anything = {} as never

/** Each function of an adapter as the gateway calls it; `read` is called as a stream is read. */
const calls: Readonly<Record<string, (adapter: Adapter) => unknown>> = {
  encode: (adapter) => adapter.encode!(anything, anything),
  unsupportedFields: (adapter) => adapter.unsupportedFields!(anything),
  refuses: (adapter) => adapter.refuses!(anything, anything, 'm'),
  adjust: (adapter) => adapter.adjust!(anything, anything),
  knowsDeveloper: (adapter) => adapter.knowsDeveloper!(anything),
  address: (adapter) => adapter.address(anything, anything, anything, anything),
  failureIn: (adapter) => adapter.failureIn!(anything),
  read: (adapter) => adapter.read!().push(Buffer.from('x')),
  shape: (adapter) => adapter.shape!(anything, anything, 'm'),
  answer: (adapter) => adapter.answer!(anything, anything, 'm'),
  socket: (adapter) => adapter.socket!(anything, anything, anything),
  frames: (adapter) => adapter.frames!(anything, anything).opened(),
  unframe: (adapter) => adapter.unframe!().push(Buffer.from('x')),
  quantities: (adapter) => adapter.quantities!(anything, 'm', anything),
  submitted: (adapter) => adapter.submitted!(anything, anything, 'm'),
  notice: (adapter) => adapter.notice!(anything, anything),
  content: (adapter) => adapter.content!(anything, anything, anything, anything, anything),
  cancel: (adapter) => adapter.cancel!(anything, anything, anything, anything),
  folded: (adapter) => adapter.folded!(anything, anything),
}

const trap = () => {
  throw new Error('a trap')
}

/** Values that are read with care, or not at all. */
const hostile: Readonly<Record<string, () => unknown>> = {
  nothing: () => null,
  'a number': () => 7,
  'a text': () => 'text',
  'a function': () => () => {},
  'a promise that rejects': () => Promise.reject(new Error('unheard')),
  'a promise that never settles': () => new Promise(() => {}),
  'a proxy with traps': () =>
    new Proxy({}, { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap }),
  'an object with getters that throw': () =>
    Object.defineProperties({}, Object.fromEntries(names.map((name) => [name, { get: trap }]))),
  'members of wrong types': () => Object.fromEntries(names.map((name) => [name, Symbol('no')])),
}

const names = [
  ...[
    'url',
    'method',
    'headers',
    'body',
    'code',
    'message',
    'failure',
    'json',
    'bytes',
    'refuse',
    'report',
  ],
  ...[
    'kind',
    'value',
    'ref',
    'state',
    'counts',
    'dimensions',
    'push',
    'flush',
    'protocols',
    'opened',
    'toClient',
    'waits',
    'then',
    'type',
  ],
]

/** Any object may be JSON, which is read and written later. */
const json: ReadonlySet<string> = new Set(['encode', 'adjust'])
const members: ReadonlySet<string> = new Set([
  'an object with getters that throw',
  'members of wrong types',
])

const throwing: Readonly<Record<string, () => never>> = {
  'an error': trap,
  'a word': () => {
    throw 'a word'
  },
  'nothing at all': () => {
    throw undefined
  },
  'an error whose members throw': () => {
    const error = new Error('x')
    for (const name of ['stack', 'message', 'name', 'cause'])
      Object.defineProperty(error, name, { get: trap })
    throw error
  },
  'a proxy with traps': () => {
    throw new Proxy(new Error('x'), { get: trap, getPrototypeOf: trap })
  },
  'an endless recursion': () => recursing(),
}

/** A translator of frames whose opening returns this. */
function translator(over: object) {
  const opened = () => ({ toUpstream: [], toClient: [], waits: false, ...over })
  return { opened, fromClient: opened, fromUpstream: opened }
}

function recursing(): never {
  return recursing()
}

t.test(
  'whatever a function of a provider returns or throws is a fault that names both',
  async (t) => {
    for (const [verb, call] of Object.entries(calls)) {
      for (const [way, make] of Object.entries({ ...hostile, ...throwing })) {
        if (json.has(verb) && members.has(way)) continue
        const world = await outsideWorld([providerOf({ [verb]: make })])
        const error = thrown(() => call(world.adapter()!))
        t.ok(error instanceof PluginFault, `${verb}: ${way}`)
        t.match(error, { plugin: 'provider.bad' }, `${verb}: ${way}`)
        t.ok((error as PluginFault).verb.startsWith(verb), `${verb}: ${way}`)
        t.equal(world.health('provider.bad')?.faults, 1, `${verb}: ${way}`)
        await turn()
      }
    }
  },
)

t.test('the reader of a stream is contained piece by piece', async (t) => {
  const pieces: readonly (readonly [verb: string, part: 'push' | 'flush', returned: unknown])[] = [
    ['read', 'push', [{ type: 'delta', at: { choice: 0, part: 0 }, text: 7 }]],
    ['read', 'push', [{ type: 'delta' }]],
    ['read', 'push', [{ type: 'surprise' }]],
    ['read', 'push', [{ type: 'failure', failure: { code: 'upstream_error' } }]],
    ['read', 'flush', [null]],
    ['read', 'flush', new Array(1_000_001).fill({ type: 'end' })],
    ['unframe', 'push', ['text']],
    ['unframe', 'flush', [new Uint8Array(3)]],
  ]
  for (const [verb, part, returned] of pieces) {
    const reader = { push: () => [], flush: () => [], [part]: () => returned }
    const world = await outsideWorld([providerOf({ [verb]: () => reader })])
    const made = world.adapter()![verb as 'read']!()
    t.match(
      thrown(() => (part === 'push' ? made.push(Buffer.from('x')) : made.flush())),
      { plugin: 'provider.bad', verb: `${verb}.${part}` },
    )
  }
})

t.test('what a plugin returns is taken up to a bound, and beyond it is a fault', async (t) => {
  const long = (length: number) => 'x'.repeat(length)
  const huge = 'x'.repeat(2 ** 28)
  const call = (more: object) => ({
    method: 'POST',
    url: 'https://a.example/',
    headers: {},
    ...more,
  })
  const failure = { blame: 'upstream', status: 500, code: 'upstream_error', message: 'no' }
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`h${at}`, '']))
  const delta = (text: string) => ({ type: 'delta', at: { choice: 0, part: 0 }, text })
  const table: readonly (readonly [verb: string, good: unknown, bad: unknown])[] = [
    ['address', call({ url: long(32_768) }), call({ url: long(32_769) })],
    ['address', call({ headers: many(128) }), call({ headers: many(129) })],
    ['address', call({ headers: { a: long(65_535) } }), call({ headers: { a: long(65_536) } })],
    ['address', call({ headers: { a: 'b' } }), call({ headers: { a: ['b'] } })],
    ['address', call({ method: 'DELETE' }), call({ method: 'CONNECT' })],
    ['address', call({ body: long(9) }), call({ body: huge })],
    ['address', call({ body: Buffer.alloc(9) }), call({ body: { length: 9 } })],
    ['failureIn', { ...failure, message: long(16_384) }, { ...failure, message: long(16_385) }],
    ['failureIn', { ...failure, param: 'a' }, { ...failure, param: 7 }],
    ['failureIn', failure, { ...failure, blame: 'nobody' }],
    ['failureIn', failure, { ...failure, status: Number.NaN }],
    ['refuses', new Array(10_000).fill('a'), new Array(10_001).fill('a')],
    ['refuses', [long(1_024)], [long(1_025)]],
    ['unsupportedFields', { refuse: ['a'], report: [] }, { refuse: [{}], report: [] }],
    ['read', [delta('x')], [delta(huge)]],
    [
      'answer',
      { bytes: Buffer.alloc(1), type: 'a/b' },
      { bytes: Buffer.alloc(1), type: long(256) },
    ],
    ['answer', { json: {} }, { json: [] }],
    ['shape', { kind: 'json', value: {} }, { kind: 'json', value: 'text' }],
    [
      'quantities',
      { counts: { second: 1 }, dimensions: {} },
      { counts: { second: -1 }, dimensions: {} },
    ],
    [
      'quantities',
      { counts: {}, dimensions: { a: 'b' } },
      { counts: { second: Infinity }, dimensions: {} },
    ],
    [
      'socket',
      { url: 'wss://a.example', headers: {}, protocols: [] },
      { url: 'wss://a.example', headers: {} },
    ],
    ['frames', translator({}), translator({ toClient: ['text'] })],
    ['frames', translator({}), translator({ waits: undefined })],
  ]
  for (const [verb, good, bad] of table) {
    for (const [value, isGood] of [
      [good, true],
      [bad, false],
    ] as const) {
      const returned = verb === 'read' ? { push: () => value, flush: () => [] } : value
      const world = await outsideWorld([providerOf({ [verb]: () => returned })])
      const error = thrown(() => calls[verb]!(world.adapter()!))
      t.equal(
        error instanceof PluginFault,
        !isGood,
        `${verb}: ${isGood ? 'within' : 'beyond'} its bound`,
      )
    }
  }
})

t.test('lists of models and balances are what they should be', async (t) => {
  const table: readonly (readonly ['models' | 'balance', unknown, boolean])[] = [
    ['models', { value: ['a'], next: '2' }, true],
    ['models', { value: new Array(20_001).fill('a') }, false],
    ['models', { value: [7] }, false],
    ['models', { value: ['a'], next: 2 }, false],
    ['models', {}, false],
    ['balance', { value: '1.5' }, true],
    ['balance', { value: 1.5 }, false],
  ]
  for (const [verb, read, isSound] of table) {
    const query = { request: () => ({ method: 'GET', url: '', headers: {} }), read: () => read }
    const create = () => ({ operations: {}, [verb]: query })
    const { registry } = await outsideWorld([providerOf({}, create)])
    const error = thrown(() => registry.providers.provider(901)![verb]!.read(anything))
    t.equal(error instanceof PluginFault, !isSound, JSON.stringify(read).slice(0, 40))
  }
})

t.test(
  'a function that returns a promise that never settles is given up after its limit',
  async (t) => {
    const never = () => new Promise<never>(() => {})
    const offer = { currency: 'USD', unitPrice: '1', amountMin: '1', isTest: true }
    const verbs = [
      'checkout',
      'verify',
      'fetch',
      'refund',
      'subscribe',
      'unsubscribe',
      'portal',
      'charge',
    ] as const
    const world = await outsideWorld(
      [
        providerOf({}, () => ({ operations: { chat: sound }, authorize: never })),
        found('oauth.bad', {}, () => ({ ready: () => true, authorize: never, identify: never })),
        found('notifier.bad', {}, () => ({ deliver: never })),
        found('payment.bad', { payment: { callback: ['POST'] } }, () => ({
          offer: () => offer,
          ...Object.fromEntries(verbs.map((verb) => [verb, never])),
        })),
        found('guard.bad', { guards: { stage: 'auth', where: 'after' } }, () => ({ check: never })),
        found('stage.auth'),
      ],
      { line: ['auth'] },
    )
    const { registry, clock } = world
    const extensions = registry.service('extensions')
    const oauth = await extensions.oauth('bad')
    const notifier = await extensions.notifier('bad')
    const payment = await extensions.payment('bad')
    const [guard] = registry.guards('auth', 'after')
    const state = { client: { headers: {}, query: {}, address: '' } } as never
    const authorize = registry.providers.provider(901)!.authorize!
    const waiting: readonly (readonly [name: string, ms: number, call: () => unknown])[] = [
      ['provider.bad authorize', 60_000, () => authorize('k', anything, anything)],
      ['oauth.bad authorize', 60_000, () => oauth.authorize!(anything)],
      ['oauth.bad identify', 60_000, () => oauth.identify(anything)],
      ...verbs.map(
        (verb) => [`payment.bad ${verb}`, 60_000, () => payment[verb]!(anything)] as const,
      ),
      ['guard.bad check', 30_000, () => guard!.check(state)],
    ]
    for (const [name, ms, call] of waiting) {
      let ended: unknown
      Promise.resolve(call()).then(
        () => {
          ended = 'resolved'
        },
        (error) => {
          ended = error
        },
      )
      clock.advance(ms - 1)
      await turn()
      t.equal(ended, undefined, `${name} is waited for`)
      clock.advance(1)
      await turn()
      t.match(ended, { message: new RegExp(`took longer than ${ms / 1000} s$`) }, name)
      t.match(ended, { plugin: name.split(' ')[0], verb: name.split(' ')[1] }, name)
    }
    const delivering = notifier.deliver(anything, {})
    clock.advance(60_000)
    t.match(await delivering, { kind: 'later' })
    t.equal(clock.pending, 0)
  },
)

t.test('a module that never ends being imported fails alone', async (t) => {
  const world = await outsideWorld([found('service.a')])
  const stuck = { ...providerOf({}), load: () => new Promise<never>(() => {}) }
  const registry = await registryOf([stuck], { clock: world.clock })
  const warming = registry.providers.warm(901)
  await turn()
  world.clock.advance(30_000)
  await warming
  t.match(stateOf(registry, 'provider.bad'), {
    state: 'failed',
    reason: 'create took longer than 30 s',
  })
})

t.test('whatever a plugin is when it is created, it fails alone', async (t) => {
  const creates: Readonly<Record<string, () => unknown>> = {
    'throws what cannot be read': throwing['an error whose members throw']!,
    'throws a proxy': throwing['a proxy with traps']!,
    'returns a proxy': hostile['a proxy with traps']!,
    'returns a promise': () => Promise.resolve({ operations: {} }),
    'has operations that throw': () => Object.defineProperty({}, 'operations', { get: trap }),
    'has an adapter that throws': () => ({
      operations: { chat: Object.defineProperty({ ...sound }, 'address', { get: trap }) },
    }),
    'throws the second time it is read': () => {
      let reads = 0
      return {
        get operations() {
          reads += 1
          if (reads > 1) trap()
          return { chat: sound }
        },
      }
    },
  }
  for (const [way, create] of Object.entries(creates)) {
    const world = await outsideWorld([providerOf({}, create), found('service.a')])
    t.equal(world.adapter(), undefined, way)
    t.equal(stateOf(world.registry, 'provider.bad')?.state, 'failed', way)
    t.equal(stateOf(world.registry, 'service.a')?.state, 'ready', way)
  }
})

t.test(
  'a plugin with the id, the channel type or the route of another is refused and the other stays',
  async (t) => {
    const own = providerOf({})
    const thief = fromOutside(providerOf({}, undefined, { title: 'Thief' }))
    const other = fromOutside(
      found('provider.other', { channelTypes: [{ id: 901, name: 'x', baseUrl: '' }] }),
    )
    const world = await outsideWorld([own, thief, other])
    const states = world.registry.catalog
      .list()
      .map(({ manifest, state }) => [manifest.title, state])
    t.strictSame(states, [
      ['provider.bad', 'ready'],
      ['Thief', 'failed'],
      ['provider.other', 'failed'],
    ])
    t.ok(world.adapter())
  },
)

t.test('a format from outside fails under its own name, its readers too', async (t) => {
  const format = found('format.acme', {}, () => ({
    name: 'acme',
    check: trap,
    limits: () => ({ maxOutput: 1 }),
    decodeStream: () => ({ push: trap, flush: () => [] }),
    watch: () => new Watch(),
  }))
  const world = await outsideWorld([fromOutside(format)])
  const acme = world.registry.formats.get('acme' as 'chat')
  t.match(
    thrown(() => acme.check({})),
    { plugin: 'format.acme', verb: 'check' },
  )
  t.match(
    thrown(() => acme.decodeStream().push(Buffer.from('x'))),
    { verb: 'decodeStream.push' },
  )
  t.strictSame(acme.limits({}), { maxOutput: 1 })
  const watch = acme.watch(anything)
  t.equal(watch.started, false)
  watch.push(Buffer.from('x'))
  t.equal(watch.started, true, 'what changes is seen')
  t.match(
    thrown(() => watch.flush()),
    { plugin: 'format.acme', verb: 'watch.flush' },
  )
  t.equal(world.health('format.acme')?.faults, 3)
})

class Watch {
  #pushed = false

  get started(): boolean {
    return this.#pushed
  }

  push(chunk: Buffer): Buffer {
    this.#pushed = true
    return chunk
  }

  flush(): Buffer {
    return trap()
  }
}

t.test('routes from outside have a limit and fail under the name of their plugin', async (t) => {
  const route = { credential: 'none', body: 'none', limiter: 'api' }
  const routes = [
    { ...route, name: 'hang', method: 'GET', path: '/api/hang' },
    { ...route, name: 'fail', method: 'GET', path: '/api/fail' },
  ]
  const management = found('management.bad', { routes }, () => ({
    routes: { hang: { handle: () => new Promise(() => {}) }, fail: { handle: trap } },
  }))
  const endpoint = found('endpoint.bad', { routes: [{ ...routes[0], path: '/hang' }] }, () => ({
    routes: { hang: { kind: 'answer', answer: () => new Promise(() => {}) } },
  }))
  const world = await outsideWorld([fromOutside(management), fromOutside(endpoint)])
  const { hang, fail } = world.registry.managements()[0]!.management.routes
  await t.rejects(
    async () => fail!.handle(anything),
    /management\.bad failed in fail\.handle: a trap/,
  )
  const answered = world.registry.endpoints()[0]!.endpoint.routes.hang as unknown as {
    answer(inbound: never): Promise<unknown>
  }
  const late = [hang!.handle(anything), answered.answer(anything)].map((one) =>
    t.rejects(one as Promise<unknown>, { message: /took longer than 120 s$/ }),
  )
  world.clock.advance(120_000)
  await Promise.all(late)
})

t.test('a format from outside sees of a record what the contract states of a reader', async (t) => {
  const seen: unknown[] = []
  const see = (...given: unknown[]) => {
    seen.push(given.at(-1))
    return { push: () => [], flush: () => [] }
  }
  const format = found('format.acme', {}, () => ({
    ...{ name: 'acme', encodeReply: see, encodeStream: see, watch: see },
  }))
  const world = await outsideWorld([fromOutside(format)])
  const acme = world.registry.formats.get('acme' as 'chat')
  const reader = { model: 'm', requestId: 'req_1', wantsUsage: true, limits: { maxOutput: 5 } }
  const record = { ...reader, key: { id: 1, secret: 'sk-1' }, hold: {}, user: { id: 7 } }
  acme.encodeReply([], record)
  acme.encodeStream(record)
  acme.watch(record)
  t.strictSame(seen, [reader, reader, reader])
})

t.test(
  'an end waits 5 s for a plugin that is being loaded, which is stopped once it is there',
  async (t) => {
    let arrive = () => {}
    const arrival = new Promise<void>((resolve) => {
      arrive = resolve
    })
    let stops = 0
    const stop = async () => {
      stops += 1
    }
    const create = () => ({ deliver: async () => {}, stop })
    const slow: Found = {
      ...fromOutside(found('notifier.slow')),
      async load() {
        await arrival
        return { default: create }
      },
    }
    const clock = new FakeClock()
    const registry = await registryOf([slow], { clock })
    await registry.start()
    const stopped = registry.stop()
    await turn()
    clock.advance(5_000)
    await stopped
    t.equal(stops, 0)
    arrive()
    while (stops === 0) await turn()
    t.equal(stateOf(registry, 'notifier.slow')?.state, 'stopped')
  },
)

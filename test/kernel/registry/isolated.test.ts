/** A plugin in a thread of its own: what crosses to it and back, and what it can no longer do to the gateway. */
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { Body } from '../../../kernel/contract/body.js'
import type { PureKit } from '../../../kernel/contract/kit.js'
import type { Adapter, AuthorizeContext, Provider } from '../../../kernel/contract/provider.js'
import { threadLimits } from '../../../kernel/registry/isolated/thread.js'
import { EgressError, Refusal, timedOut } from '../../../kernel/toolkit/errors/index.js'
import { codeInThread, type InThread } from './isolated-kit.js'

const channel = { id: 1, type: 901, baseUrl: 'https://a.example', settings: {} }

/** A plugin whose one adapter has these functions. */
function adapterOf(members: string, before = ''): string {
  return `${before}
export default (kit) => ({ operations: { chat: { format: 'chat', ${members} } } })`
}

async function adapterIn(t: Test, members: string, before = '') {
  const threaded = await codeInThread<Provider>(t, adapterOf(members, before))
  return { ...threaded, adapter: threaded.plugin.operations.chat as Adapter }
}

/** Waits until the plugin has a thread again. */
async function again(run: () => unknown): Promise<unknown> {
  for (;;) {
    try {
      return run()
    } catch (error) {
      if (!/is being started/.test(String(error))) throw error
      await wait(5)
    }
  }
}

t.test('values', async (t) => {
  const { adapter } = await adapterIn(
    t,
    `adjust: (wire) => wire,
     unsupportedFields: (call) => ({ refuse: [typeof call, String(Buffer.isBuffer(call))], report: [] }),
     encode: (call) => ({ ...call, more: 1 }),
     shape: (body) => body.kind === 'none' ? body : ({ kind: 'json', value: { ...body.value, n: 2 }, original: { value: body.value, bytes: body.bytes } }),
     failureIn: () => undefined,
     forwards: ['x-one'], toolName: /^a$/,`,
  )
  const same = async (name: string, value: unknown) =>
    t.test(name, async (t) => {
      t.equal(adapter.adjust!(value as never, channel), value, 'it is the very object again')
    })
  await same('an object that is not changed', { a: [1, { b: 'ä€😀' }], c: null, d: undefined })
  await same('a body with its bytes', { kind: 'json', value: { a: 1 }, bytes: Buffer.from('{}') })
  await same('an empty list', { a: [] })

  t.test('what is not changed is the very object in one that is', async (t) => {
    const messages = [{ role: 'user' }]
    const made = adapter.encode!({ messages } as never, channel)
    t.strictSame(made, { messages, more: 1 })
    t.equal(made.messages, messages)
  })
  t.test('a body that names what it was made of', async (t) => {
    const value = { n: 1, deep: { big: 1 } }
    const body: Body = { kind: 'json', value, bytes: Buffer.from('{"n":1}') }
    const shaped = adapter.shape!(body, channel, 'm') as Extract<Body, { kind: 'json' }>
    t.strictSame(shaped.value, { n: 2, deep: { big: 1 } })
    t.equal(shaped.value.deep, value.deep)
    t.equal(shaped.original?.value, value)
    t.equal(shaped.original?.bytes, body.bytes)
  })
  t.test('members besides functions', async (t) => {
    t.match(adapter, { format: 'chat', forwards: ['x-one'], toolName: /^a$/ })
  })
  t.test('a buffer is one', async (t) => {
    const made = adapter.unsupportedFields!(Buffer.from('x') as never)
    t.strictSame(made.refuse, ['object', 'true'])
  })
  t.test('nothing', async (t) => {
    t.equal(adapter.failureIn!({}), undefined)
  })
})

t.test('errors', async (t) => {
  const { adapter } = await adapterIn(
    t,
    `address(wire) {
       if (wire.kind === 'refuse') throw new Refusal('invalid_field', { reason: 'Not this.', param: 'size' })
       if (wire.kind === 'type') null.x
       if (wire.kind === 'word') throw 'a word'
       throw Object.defineProperty({}, 'message', { get() { throw 1 } })
     },
     fail: () => () => {},
     encode: () => Object.defineProperty({}, 'x', { enumerable: true, get() { throw new RangeError('no') } }),
     refuses: () => [Symbol('x')],`,
    "import { Refusal } from 'waybill/toolkit/errors'",
  )
  const address = (kind: string) => () =>
    adapter.address({ kind } as never, channel, {} as never, {} as never)
  t.test('a refusal is one, with its field and its words', async (t) => {
    const error = t.throws(address('refuse')) as Refusal
    t.ok(error instanceof Refusal)
    t.match(error, { code: 'invalid_field', param: 'size', status: 400, message: /Not this\./ })
  })
  t.test('a mistake keeps class and place', async (t) => {
    const error = t.throws(address('type')) as Error
    t.ok(error instanceof TypeError)
    t.match(error.stack, /index\.js:\d+/)
  })
  for (const [name, run] of Object.entries({
    'a word': address('word'),
    'an object that cannot be read': address('else'),
    'a function where a value is due': () => adapter.fail(500, {}, Buffer.from('')),
    'a getter that throws': () => adapter.encode!({} as never, channel),
    'what cannot be copied': () => adapter.refuses!({}, channel, 'm'),
  })) {
    t.test(name, async (t) => {
      t.throws(run)
      t.throws(address('type'), TypeError, 'and the thread goes on')
    })
  }
})

t.test('a reader keeps its state, and one of many is not another', async (t) => {
  const { adapter } = await adapterIn(
    t,
    'read: () => new Reader()',
    `class Base { flush() { return [this.seen] } }
     class Reader extends Base { seen = ''; push(bytes) { this.seen += bytes; return [] } get length() { return this.seen.length } }`,
  )
  const one = adapter.read!()
  const other = adapter.read!()
  one.push(Buffer.from('a'))
  other.push(Buffer.from('b'))
  one.push(Buffer.from('c'))
  t.strictSame([one.flush(), other.flush()], [['ac'], ['b']])
  t.equal((one as unknown as { length: number }).length, 2, 'what changes is read when it is read')
})

t.test('functions of the gateway', async (t) => {
  const { adapter, plugin } = await (async () => {
    const code = `
import { EgressError } from 'waybill/toolkit/errors'
export default () => ({
  operations: { chat: { format: 'chat', serves: (channel, model, client, call) => call().model === model, read: (reader) => ({ push: () => [reader.call().n], flush: () => [] }) } },
  async authorize(key, channel, { now, fetch }) {
    const answer = await fetch({ method: 'GET', url: 'https://a.example/' + key, headers: {} })
    try { await fetch({ url: 'bad' }) } catch (error) { if (!(error instanceof EgressError)) throw new Error('another class'); if (key === 'again') throw error }
    return { key: answer.body.toString(), expiresAt: now }
  },
})`
    const threaded = await codeInThread<Provider>(t, code)
    return { ...threaded, adapter: threaded.plugin.operations.chat as Adapter }
  })()
  t.test('one among the arguments', async (t) => {
    let calls = 0
    const call = () => {
      calls += 1
      return { model: 'm' } as never
    }
    t.equal(adapter.serves!(channel, 'm', 'chat', call), true)
    t.equal(adapter.serves!(channel, 'n', 'chat', call), false)
    t.equal(calls, 2)
  })
  t.test('an error of it comes back as it was', async (t) => {
    const own = new Refusal('access_denied')
    const call = () => {
      throw own
    }
    t.equal(
      t.throws(() => adapter.serves!(channel, 'm', 'chat', call)),
      own,
    )
  })
  t.test('one that calls the plugin once more', async (t) => {
    const call = () =>
      ({
        model: adapter.serves!(channel, 'x', 'chat', () => ({ model: 'x' }) as never) ? 'm' : '',
      }) as never
    t.equal(adapter.serves!(channel, 'm', 'chat', call), true)
  })
  t.test('one that is called later', async (t) => {
    let n = 0
    const reader = (adapter.read as unknown as (reader: object) => { push(): unknown })({
      call: () => ({ n: ++n }),
    })
    t.strictSame(reader.push(), [1])
    t.strictSame(reader.push(), [2])
  })
  const failure = timedOut()
  const context = {
    now: 7,
    fetch: async ({ url }: { url: string }) => {
      if (url === 'bad') throw failure
      return { status: 200, headers: {}, body: Buffer.from(url) }
    },
  } as AuthorizeContext
  t.test('one that returns later', async (t) => {
    t.strictSame(await plugin.authorize!('k', channel, context), {
      key: 'https://a.example/k',
      expiresAt: 7,
    })
  })
  t.test('what it rejects with comes back as it was', async (t) => {
    const error = await plugin.authorize!('again', channel, context).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    t.equal(error, failure)
    t.ok(error instanceof EgressError)
  })
})

t.test('settings', async (t) => {
  const listeners: (() => void)[] = []
  let all: Record<string, string | number | boolean> = { word: 'one', count: 1, on: false }
  const kit: PureKit = {
    settings: {
      get all() {
        return all
      },
      string: (name) => String(all[name]),
      number: () => 0,
      boolean: () => false,
      json: () => ({}),
      onChange: (listener) => void listeners.push(listener),
    },
  }
  const code = adapterOf(
    `encode: () => ({ ...kit.settings.all, text: kit.settings.string('word'), number: kit.settings.number('count'), boolean: kit.settings.boolean('on'), changes }),
     adjust: () => kit.settings.string('other')`,
    'let changes = 0',
  ).replace('=> ({', '=> (kit.settings.onChange(() => changes++), {')
  const settings = [
    { name: 'word', type: 'string', title: 'Word', default: '' },
    { name: 'count', type: 'number', title: 'Count', default: 0 },
    { name: 'on', type: 'boolean', title: 'On', default: false },
  ]
  const { plugin } = await codeInThread<Provider>(t, code, { settings }, kit)
  const { encode, adjust } = plugin.operations.chat as Adapter
  t.match(encode!({} as never, channel), {
    word: 'one',
    text: 'one',
    number: 1,
    boolean: false,
    changes: 0,
  })
  all = { word: 'two', count: 2, on: true }
  for (const listener of listeners) listener()
  t.match(encode!({} as never, channel), {
    word: 'two',
    text: 'two',
    number: 2,
    boolean: true,
    changes: 1,
  })
  t.throws(() => adjust!({}, channel), /declares no setting "other"/)
})

t.test('what would stop the gateway ends the thread alone', async (t) => {
  const code = (what: string) =>
    adapterOf(`failureIn: (body) => { if (body.bad) { ${what} } return undefined },
      read: () => ({ push: () => [], flush: () => [] }),`)
  const ways = {
    'an endless loop': ['for (;;);', /did not return within/],
    'process.exit': ['process.exit(1)', /ended/],
    'more memory than it may have': [
      'const all = []; for (;;) all.push(new Array(1e6).fill({}))',
      /ended|did not return/,
    ],
    'a wait without an end': [
      'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)',
      /did not return within/,
    ],
  } as const
  for (const [name, [what, expected]] of Object.entries(ways)) {
    t.test(name, async (t) => {
      const { plugin } = await codeInThread<Provider>(t, code(what))
      const adapter = plugin.operations.chat as Adapter
      const reader = adapter.read!()
      reader.push(Buffer.from('x'))
      const began = performance.now()
      t.throws(() => adapter.failureIn!({ bad: true }), expected)
      t.ok(performance.now() - began < 20 * threadLimits.callMs)
      t.throws(() => reader.push(Buffer.from('x')), 'what it had begun is gone')
      t.equal(
        await again(() => adapter.failureIn!({})),
        undefined,
        'and the next call finds a new thread',
      )
    })
  }
})

t.test('what happens between calls', async (t) => {
  const { adapter, log } = await adapterIn(
    t,
    `failureIn: ({ how }) => {
       if (how === 'throws') setTimeout(() => { throw new Error('in a timer') })
       if (how === 'rejects') void Promise.reject(new Error('unheard'))
       if (how === 'writes') for (let i = 0; i < 1000; i++) console.log('line ' + i)
       return undefined
     }`,
  )
  const seen = async (pattern: RegExp) => {
    while (!log.lines.some((line) => pattern.test(JSON.stringify(line)))) await wait(5)
  }
  for (const [how, pattern] of [
    ['throws', /in a timer/],
    ['rejects', /unheard/],
    ['writes', /line 0/],
  ] as const) {
    t.test(how, async (t) => {
      adapter.failureIn!({ how })
      await seen(pattern)
      t.equal(adapter.failureIn!({}), undefined)
    })
  }
  t.test('few lines of many are kept', async (t) => {
    t.ok(log.lines.length < 40)
  })
})

t.test('a thread sees neither environment nor arguments of the gateway', async (t) => {
  const { adapter } = await adapterIn(
    t,
    `encode: () => ({ env: Object.keys(process.env), argv: process.argv.slice(2), data: workerData })`,
    "import { workerData } from 'node:worker_threads'",
  )
  t.strictSame(adapter.encode!({} as never, channel), { env: [], argv: [], data: {} })
})

t.test('what does not begin is stated, and leaves no thread', async (t) => {
  for (const [code, expected] of [
    ['throw new Error("no luck")', /no luck/],
    ['export const other = 1', /no default export create\(kit\)/],
    ['export default () => undefined', /returned no object/],
    ['export default async () => ({})', /returned no object/],
    ['export default () => { throw new TypeError("bad kit") }', /bad kit/],
    ['process.exit()', /ended/],
    ['import "./nowhere.js"', /nowhere\.js/],
  ] as const) {
    await t.rejects(codeInThread<InThread<object>>(t, code), expected, code)
  }
})

t.test('one that is stopped is stopped, and its thread is gone', async (t) => {
  const { plugin, log } = await codeInThread<Provider>(
    t,
    `export default () => ({ operations: { chat: { format: 'chat', failureIn: () => undefined } }, stop() { console.log('stopped') } })`,
  )
  await plugin.stop!()
  t.throws(() => (plugin.operations.chat as Adapter).failureIn!({}), /switched off or replaced/)
  t.notOk(log.lines.some((line) => JSON.stringify(line).includes('ended')))
})

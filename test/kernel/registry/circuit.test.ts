/** The circuit of a plugin: what sets one from outside aside, for how long, and what never does. */
import t from 'tap'
import type { Guard } from '../../../kernel/contract/guard.js'
import type { Received } from '../../../kernel/contract/line/record.js'
import type { Notice } from '../../../kernel/contract/notifier.js'
import type { CheckoutOrder } from '../../../kernel/contract/payment.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import {
  fromOutside,
  type OutsideWorld,
  outsideWorld,
  providerOf,
  thrown,
} from './outside-plugins.js'
import { found, stateOf } from './plugins.js'

/** Whether `encode` fails, call by call. */
function failing(when: (call: number) => boolean, error: () => unknown = () => new Error('boom')) {
  let calls = 0
  return {
    encode() {
      calls += 1
      if (when(calls)) throw error()
      return {}
    },
  }
}

function calls(world: OutsideWorld, times: number): number {
  let made = 0
  for (let call = 0; call < times; call += 1) {
    const adapter = world.adapter()
    if (adapter === undefined) break
    made += 1
    thrown(() => adapter.encode!({} as never, {} as never))
  }
  return made
}

t.test(
  'a provider from outside that always throws is set aside, and comes back on trial',
  async (t) => {
    const world = await outsideWorld([fromOutside(providerOf(failing(() => true)))])
    const { clock } = world
    t.equal(calls(world, 100), 10, 'it is picked no more after ten faults')
    t.match(world.health('provider.bad'), {
      faults: 10,
      lastFault: {
        verb: 'encode',
        message: 'provider.bad failed in encode: boom',
        at: clock.now(),
      },
      setAsideUntil: clock.now() + 10_000,
    })
    t.match(world.log.lines, [{ fields: { plugin: 'provider.bad', seconds: 10 } }])
    t.equal(world.registry.providers.knows(901), true, 'its channels are not without a plugin')
    clock.advance(9_999)
    t.equal(world.adapter(), undefined)
    clock.advance(1)
    t.ok(world.adapter())
  },
)

t.test(
  'the time grows with each trial that fails, up to five minutes, and begins anew after a good one',
  async (t) => {
    let isBroken = true
    const world = await outsideWorld([fromOutside(providerOf(failing(() => isBroken)))])
    const { clock } = world
    calls(world, 100)
    for (const seconds of [10, 20, 40, 80, 160, 300, 300]) {
      t.equal(world.health('provider.bad')?.setAsideUntil, clock.now() + seconds * 1000)
      clock.advance(seconds * 1000)
      t.equal(calls(world, 100), 3, 'on trial three faults are enough')
    }
    clock.advance(300_000)
    isBroken = false
    t.equal(calls(world, 100), 100)
    t.notOk(world.health('provider.bad')?.setAsideUntil)
    clock.advance(300_000)
    isBroken = true
    t.equal(calls(world, 100), 10, 'the trial is over')
    t.equal(world.health('provider.bad')?.setAsideUntil, clock.now() + 10_000)
  },
)

t.test('what fails now and then, or slowly, is never set aside', async (t) => {
  const seldom = await outsideWorld([fromOutside(providerOf(failing((call) => call % 2 === 0)))])
  t.equal(calls(seldom, 10_000), 10_000, 'every other call goes well')
  t.equal(seldom.health('provider.bad')?.faults, 5_000)

  const slowly = await outsideWorld([fromOutside(providerOf(failing(() => true)))])
  for (let minute = 0; minute < 50; minute += 1) {
    t.equal(calls(slowly, 5), 5)
    slowly.clock.advance(60_001)
  }
  const meant = failing(
    () => true,
    () => new Refusal('invalid_field', { reason: 'no', param: 'a' }),
  )
  const refusing = await outsideWorld([fromOutside(providerOf(meant))])
  t.equal(calls(refusing, 1_000), 1_000, 'a refusal is no fault')
  t.equal(refusing.health('provider.bad'), undefined)
})

t.test('what is built in is reported and never set aside', async (t) => {
  const world = await outsideWorld([providerOf(failing(() => true))])
  t.equal(calls(world, 1_000), 1_000)
  t.match(world.health('provider.bad'), { faults: 1_000 })
  t.notOk(world.health('provider.bad')?.setAsideUntil)
})

t.test('others keep serving while one is set aside', async (t) => {
  const good = found(
    'provider.good',
    { channelTypes: [{ id: 902, name: 'good', baseUrl: '' }] },
    () => ({
      operations: { chat: { format: 'own', address() {}, encode() {}, read() {}, fail() {} } },
    }),
  )
  const world = await outsideWorld([
    fromOutside(providerOf(failing(() => true))),
    fromOutside(good),
  ])
  await world.registry.providers.warm(902)
  calls(world, 100)
  t.equal(world.adapter(), undefined)
  const query = { operation: 'chat', format: 'chat', model: 'm' } as const
  const channel = { id: 2, type: 902, baseUrl: 'https://b.example', settings: {} }
  t.ok(world.registry.providers.adapter(channel, query))
})

t.test('faults of a stream count against the streams, however many pieces each has', async (t) => {
  const read = () => {
    let pieces = 0
    return {
      push() {
        pieces += 1
        if (pieces === 100) throw new Error('boom')
        return []
      },
      flush: () => [],
    }
  }
  const world = await outsideWorld([fromOutside(providerOf({ read }))])
  let streams = 0
  for (let adapter = world.adapter(); adapter && streams < 100; adapter = world.adapter()) {
    const reader = adapter.read!()
    streams += 1
    for (let piece = 0; piece < 100; piece += 1) thrown(() => reader.push(Buffer.from('x')))
  }
  t.equal(streams, 10)
  t.match(world.health('provider.bad')?.lastFault, { verb: 'read' })
})

t.test(
  'time in which a plugin keeps the process busy is reported, and much of it sets one aside',
  async (t) => {
    let ms = 0
    const world = await outsideWorld([
      fromOutside(
        providerOf({
          encode() {
            world.clock.advance(ms)
            return {}
          },
        }),
      ),
    ])
    ms = 50
    calls(world, 1)
    t.equal(world.health('provider.bad'), undefined, '50 ms are let pass')
    ms = 300
    t.equal(calls(world, 1_000), 1_000)
    t.match(world.health('provider.bad'), {
      slowCalls: 1_000,
      faults: 0,
      slowest: { verb: 'encode', ms: 300 },
    })
    const noted = world.log.lines.filter(({ fields }) => fields.verb === 'encode')
    t.equal(noted.length, 0, 'what is merely slow is no warning')
    world.clock.advance(60_000)
    ms = 4_000
    t.equal(calls(world, 1_000), 3, 'ten seconds in all, less a sixth of the time that passed')
    t.match(world.log.lines, [
      { fields: { plugin: 'provider.bad', verb: 'encode', ms: 4_000 } },
      { fields: { plugin: 'provider.bad', reason: /blocked the whole process/ } },
    ])
  },
)

t.test('a machine that stood still in one call sets nothing aside', async (t) => {
  let ms = 3_600_000
  const world = await outsideWorld([
    fromOutside(
      providerOf({
        encode() {
          world.clock.advance(ms)
          ms = 0
          return {}
        },
      }),
    ),
  ])
  t.equal(calls(world, 10), 10)
})

t.test('what only admins call is reported and keeps no request from being served', async (t) => {
  const boom = () => {
    throw new Error('boom')
  }
  const query = { request: boom, read: boom }
  const create = () => ({
    operations: { chat: { format: 'own', address() {}, encode() {}, read() {}, fail() {} } },
    ...{ models: query, balance: query, faultOf: boom },
  })
  const world = await outsideWorld([fromOutside(providerOf({}, create))])
  const provider = world.registry.providers.provider(901)!
  for (let call = 0; call < 50; call += 1) {
    thrown(() => provider.models!.request({} as never, {} as never, {} as never))
    thrown(() => provider.balance!.read({} as never))
    thrown(() => provider.faultOf!({}))
  }
  t.equal(world.health('provider.bad')?.faults, 150)
  t.ok(world.adapter())
})

t.test('a notifier that is set aside delivers later, and says so', async (t) => {
  let deliveries = 0
  const notifier = found('notifier.bad', { title: 'Pigeon' }, () => ({
    async deliver() {
      deliveries += 1
      throw new Error('boom')
    },
  }))
  const { registry, clock } = await outsideWorld([fromOutside(notifier)])
  const loaded = await registry.service('extensions').notifier('bad')
  const deliver = () => loaded.deliver({} as Notice, {})
  for (let call = 0; call < 10; call += 1) {
    t.match(await deliver(), { kind: 'later', reason: /The log of the gateway/ })
  }
  t.strictSame(await deliver(), {
    kind: 'later',
    reason: 'Pigeon failed again and again and is set aside for a while.',
    afterMs: 10_000,
  })
  t.equal(deliveries, 10)
  clock.advance(10_000)
  await deliver()
  t.equal(deliveries, 11, 'it is tried again')
})

t.test('[PAY-3] a payment gateway that is set aside refuses, and decides nothing', async (t) => {
  const boom = () => {
    throw new TypeError('boom')
  }
  const offer = () => ({ currency: 'USD', unitPrice: '1', amountMin: '1', isTest: true })
  const payment = found('payment.bad', { payment: { callback: ['POST'] } }, () => ({
    ...{ offer, checkout: boom, verify: boom, refund: boom, charge: boom },
  }))
  const world = await outsideWorld([fromOutside(payment)])
  const gateway = await world.registry.service('extensions').payment('bad')
  for (let call = 0; call < 50; call += 1)
    await t.rejects(async () => gateway.verify!({} as never), /boom/)
  t.notOk(world.health('payment.bad')?.setAsideUntil, 'strangers can make `verify` fail')
  for (let call = 0; call < 10; call += 1) {
    await t.rejects(gateway.checkout({} as CheckoutOrder), /payment\.bad failed in checkout: boom/)
  }
  const aside = /payment\.bad failed in \w+: it failed again and again and is set aside until 20/
  await t.rejects(gateway.checkout({} as CheckoutOrder), aside)
  await t.rejects(async () => gateway.verify!({} as never), aside, 'the callback is sent again')
  await t.rejects(gateway.charge!({} as never), aside)
  await t.rejects(gateway.refund!({} as never), aside)
  t.match(gateway.offer(), offer(), 'callbacks still find it')
})

t.test(
  'an error a payment gateway or a sign-in is allowed to reject with is no fault',
  async (t) => {
    const away = async () => {
      throw new Error('the provider cannot be reached')
    }
    const oauth = found('oauth.bad', {}, () => ({
      ready: () => true,
      identify: away,
      authorize: away,
    }))
    const world = await outsideWorld([fromOutside(oauth)])
    const provider = await world.registry.service('extensions').oauth('bad')
    for (let call = 0; call < 50; call += 1) {
      await t.rejects(provider.authorize!({} as never) as Promise<URL>, {
        message: 'the provider cannot be reached',
      })
    }
    t.equal(world.health('oauth.bad'), undefined)
  },
)

t.test('a sign-in that is set aside is refused in a sentence', async (t) => {
  const mistaken = async () => (undefined as never as { a: string }).a
  const oauth = found('oauth.bad', {}, () => ({
    ready: () => true,
    identify: mistaken,
    authorize: mistaken,
  }))
  const world = await outsideWorld([fromOutside(oauth)])
  const provider = await world.registry.service('extensions').oauth('bad')
  for (let call = 0; call < 50; call += 1)
    await t.rejects(provider.identify({} as never), /oauth\.bad failed/)
  t.notOk(world.health('oauth.bad')?.setAsideUntil, 'strangers can make `identify` fail')
  for (let call = 0; call < 10; call += 1) {
    await t.rejects(
      provider.authorize!({} as never) as Promise<URL>,
      /oauth\.bad failed in authorize/,
    )
  }
  await t.rejects(provider.identify({} as never), /set aside until/)
})

t.test('a guard is never set aside: what is broken lets nothing through', async (t) => {
  const guard = found('guard.bad', { guards: { stage: 'auth', where: 'after' } }, () => ({
    check() {
      throw new Error('boom')
    },
  }))
  const world = await outsideWorld([fromOutside(guard), found('stage.auth')], { line: ['auth'] })
  const [bound] = world.registry.guards('auth', 'after') as readonly Guard<Received>[]
  const state = { client: { headers: {}, query: {}, address: '' } } as Received
  for (let call = 0; call < 1_000; call += 1) {
    if (!/guard\.bad failed in check/.test(String(thrown(() => bound!.check(state)))))
      t.fail('it let through')
  }
  t.match(world.health('guard.bad'), { faults: 1_000, lastFault: { verb: 'check' } })
  t.notOk(world.health('guard.bad')?.setAsideUntil)
})

t.test('the last fault is shown without what is secret in it', async (t) => {
  const key = 'sk-live-1234567890abcdefghijk'
  const error = () =>
    new Error(`${key} was refused at https://inside.example/a ${'x'.repeat(5_000)}`)
  const world = await outsideWorld([fromOutside(providerOf(failing(() => true, error)))])
  calls(world, 1)
  const { message = '' } = world.health('provider.bad')?.lastFault ?? {}
  t.ok(message.length <= 301)
  t.notOk(message.includes(key) || message.includes('inside.example'))
  t.equal(stateOf(world.registry, 'provider.bad')?.state, 'ready')
})

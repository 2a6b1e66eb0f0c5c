/** How long `prepare` and `authorize` of a plugin may take: its own time counts, that of an upstream it waits for does not. */
import t from 'tap'
import type { WholeAnswer } from '../../../kernel/contract/operation.js'
import type { Adapter, PrepareContext, Provider } from '../../../kernel/contract/provider.js'
import { PluginFault } from '../../../kernel/toolkit/errors/index.js'
import { fromOutside, outsideWorld, providerOf, sound, turn } from './outside-plugins.js'

const request = { method: 'POST', url: 'https://a.example/up', headers: {} } as const
const wire = { kind: 'json', value: {} } as const

async function prepared(prepare: NonNullable<Adapter['prepare']>) {
  const world = await outsideWorld([fromOutside(providerOf({ prepare }))])
  const answers: ((answer: WholeAnswer) => void)[] = []
  const context: PrepareContext = {
    now: 0,
    model: 'm',
    fetch: () => new Promise((resolve) => answers.push(resolve)),
  }
  const result = world.adapter()!.prepare!(wire, {} as never, { key: 'k' }, context).catch(
    (error: unknown) => error,
  )
  await turn()
  return { ...world, answers, result }
}

t.test('[S6] an upstream that takes minutes for an upload is no fault of the plugin', async (t) => {
  const { clock, answers, result, health } = await prepared(async (given, _, __, { fetch }) => {
    await fetch(request)
    await fetch(request)
    return given
  })
  for (const at of [0, 1]) {
    clock.advance(250_000)
    await turn()
    answers[at]!({ status: 200, headers: {}, body: Buffer.alloc(0) })
    await turn()
  }
  t.equal(await result, wire)
  t.equal(clock.pending, 0, 'no timer is left')
  t.equal(health('provider.bad')?.faults ?? 0, 0)
})

t.test('[S6] a plugin that goes on for ever without a call is ended', async (t) => {
  const { clock, answers, result, health } = await prepared(async (given, _, __, { fetch }) => {
    await fetch(request)
    await new Promise(() => {})
    return given
  })
  clock.advance(100_000)
  answers[0]!({ status: 200, headers: {}, body: Buffer.alloc(0) })
  await turn()
  clock.advance(60_000)
  const error = await result
  t.type(error, PluginFault)
  t.match(error, { verb: 'prepare', message: /took longer than 60 s/ })
  t.match(health('provider.bad'), { faults: 1 })
})

t.test(
  '[S6] an exchange of a key is judged by its own time, and makes no call that is none',
  async (t) => {
    const answers: ((answer: WholeAnswer) => void)[] = []
    const exchange = async (authorize: NonNullable<Provider['authorize']>) => {
      const make = () => ({ operations: { chat: sound }, authorize })
      const world = await outsideWorld([fromOutside(providerOf({}, make))])
      const { provider } = world.registry.providers
      const result = Promise.resolve(
        provider(901)!.authorize!('k', {} as never, {
          now: 0,
          fetch: () => new Promise((resolve) => answers.push(resolve)),
        }),
      ).catch((error: unknown) => error)
      await turn()
      return { ...world, result }
    }
    const slow = await exchange(async (key, _, { fetch }) => {
      await fetch(request)
      return { key }
    })
    slow.clock.advance(250_000)
    answers[0]!({ status: 200, headers: {}, body: Buffer.alloc(0) })
    t.strictSame(await slow.result, { key: 'k' })
    t.equal(slow.clock.pending, 0, 'no timer is left')
    const mistaken = await exchange(async (key, _, { fetch }) => {
      void fetch({ ...request, url: 5 as never })
      await fetch({ ...request, headers: { a: 5 as never } })
      return { key }
    })
    t.match(await mistaken.result, { name: 'PluginFault', verb: 'authorize' })
    t.equal(answers.length, 1)
  },
)

t.test('[S6] what is no call is not made', async (t) => {
  const { answers, result } = await prepared(async (given, _, __, { fetch }) => {
    await fetch({ ...request, headers: { a: 5 as never } })
    return given
  })
  t.type(await result, PluginFault)
  t.equal(answers.length, 0)
})

/** How long `prepare` of a plugin may take: its own time counts, that of an upstream it waits for does not. */
import t from 'tap'
import type { WholeAnswer } from '../../../kernel/contract/operation.js'
import type { Adapter, PrepareContext } from '../../../kernel/contract/provider.js'
import { PluginFault } from '../../../kernel/toolkit/errors/index.js'
import { fromOutside, outsideWorld, providerOf, turn } from './outside-plugins.js'

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

t.test('[S6] what is no call is not made', async (t) => {
  const { answers, result } = await prepared(async (given, _, __, { fetch }) => {
    await fetch({ ...request, headers: { a: 5 as never } })
    return given
  })
  t.type(await result, PluginFault)
  t.equal(answers.length, 0)
})

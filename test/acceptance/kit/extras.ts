/** What some libraries do by themselves, tried at an upstream of every format: loops of tool calls, and refusals. */
import type { Test } from 'tap'
import type { Client } from './client.js'
import { heard } from './heard.js'
import { channels, type Upstreams, type Wire, wires } from './upstreams.js'

export const weather = {
  name: 'get_weather',
  description: 'Tells the weather.',
  schema: {
    type: 'object' as const,
    properties: { city: { type: 'string' as const } },
    required: ['city'],
  },
}

export const question = 'A coat in Oslo?'

/** `run` asks the question and leaves the calls to its library; it answers the last text. */
export function ownLoop(
  t: Test,
  gateway: Upstreams,
  { name, wire: own }: Pick<Client<unknown>, 'name' | 'wire'>,
  run: (model: string, tell: (input: unknown) => string) => Promise<string | null | undefined>,
): void {
  for (const wire of wires) {
    const rule = own === wire ? '[SVC-1]' : '[SVC-1] [FMT-9]'
    t.test(`${rule} ${name} runs its tools by itself at a ${wire} upstream`, async (t) => {
      const { mock, upstream, asMocked } = gateway
      mock.clearFixtures()
      mock.on({ hasToolResult: true }, { content: 'Take one.' })
      mock.onMessage(/Oslo/, {
        toolCalls: [{ name: weather.name, arguments: '{"city":"Oslo"}' }],
        // The service ends a call with its plain word; the mock has another.
        ...(wire === 'generative' && { finishReason: 'stop' }),
      })
      upstream.script(asMocked)
      const inputs: unknown[] = []
      const text = await run(channels[wire].model, (input) => {
        inputs.push(input)
        return 'snow'
      })
      t.equal(text, 'Take one.')
      t.strictSame(inputs, [{ city: 'Oslo' }])
      const { calls, results } = heard(wire, upstream.requests.at(-1)!)
      t.match(results, [{ id: calls[0]?.id, text: /snow/ }])
    })
  }
}

export interface Inexpressible {
  /** Upstreams that cannot say it. */
  readonly wires: readonly Wire[]
  /** As the refusal names it. */
  readonly field: string
  readonly ask: (model: string) => Promise<unknown>
}

export function refusedByName(
  t: Test,
  gateway: Upstreams,
  name: string,
  cases: readonly Inexpressible[],
): void {
  for (const { wires: at, field, ask } of cases) {
    t.test(`[FMT-9] ${name}: ${field} is refused by name at ${at.join(', ')}`, async (t) => {
      const before = await gateway.balance()
      const sent = gateway.upstream.requests.length
      for (const wire of at) {
        const error = await ask(channels[wire].model).catch((reason: unknown) => reason)
        t.match(error, { status: 400, message: new RegExp(`express: ${field}`) })
      }
      t.equal(gateway.upstream.requests.length, sent, 'nothing was sent')
      t.equal(await gateway.balance(), before)
    })
  }
}

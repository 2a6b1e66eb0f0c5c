/**
 * `npm run bench -- --pairs`: every client format over every upstream format. What an event costs the gateway where it is
 * converted, beside what it costs where both speak the same.
 */
import { Agent } from 'undici'
import type { FormatName } from '../../kernel/contract/names.js'
import { formatGateway } from './gateways.js'
import { cpuMs, formatMock, type Target } from './targets.js'

const streams = 200
const events = 100
/** A converted event may cost this many times the verbatim one of its client's format. */
const goal = 3

const names: readonly FormatName[] = ['chat', 'messages', 'generative', 'responses']

export async function runPairs(): Promise<void> {
  const upstream = await formatMock(20, events)
  const gateway = await formatGateway(upstream.origin)
  const agent = new Agent({ connections: streams, pipelining: 1 })
  try {
    for (const client of names) await ask(agent, gateway, client, client, 20)
    const costs = new Map<string, number>()
    for (const client of names) {
      for (const served of names) {
        costs.set(`${client} ${served}`, await costOf(agent, gateway, client, served))
      }
    }
    print(costs)
  } finally {
    await agent.close()
    await gateway.stop()
    await upstream.stop()
  }
}

/** Microseconds of the gateway's CPU per event. */
async function costOf(agent: Agent, gateway: Target, client: FormatName, served: FormatName) {
  const before = cpuMs(gateway.pid)
  await ask(agent, gateway, client, served, streams)
  return ((cpuMs(gateway.pid) - before) * 1000) / (streams * events)
}

async function ask(
  agent: Agent,
  gateway: Target,
  client: FormatName,
  served: FormatName,
  times: number,
): Promise<void> {
  const { path, body } = requests[client](`bench-${served}`)
  await Promise.all(
    Array.from({ length: times }, async () => {
      const answer = await agent.request({
        origin: gateway.origin,
        path,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'anthropic-version': '2023-06-01',
          authorization: `Bearer ${gateway.key}`,
        },
        body: JSON.stringify(body),
      })
      const text = await answer.body.text()
      if (answer.statusCode !== 200 || !text.includes(' relay')) {
        throw new Error(`${client} over ${served}: ${answer.statusCode} ${text.slice(0, 300)}`)
      }
    }),
  )
}

const user = (content: unknown) => [{ role: 'user', content }]

const requests: Readonly<Record<FormatName, (model: string) => { path: string; body: object }>> = {
  chat: (model) => ({
    path: '/v1/chat/completions',
    body: { model, stream: true, messages: user('Hello') },
  }),
  messages: (model) => ({
    path: '/v1/messages',
    body: { model, stream: true, max_tokens: 1000, messages: user('Hello') },
  }),
  generative: (model) => ({
    path: `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    body: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
  }),
  responses: (model) => ({ path: '/v1/responses', body: { model, stream: true, input: 'Hello' } }),
}

function print(costs: ReadonlyMap<string, number>): void {
  console.log(
    `us of CPU per event, ${streams} streams; client format down, upstream format across\n`,
  )
  console.log(['', ...names].map((name) => name.padStart(18)).join(''))
  for (const client of names) {
    const verbatim = costs.get(`${client} ${client}`)!
    const cells = names.map((served) => {
      const cost = costs.get(`${client} ${served}`)!
      const mark = cost / verbatim > goal ? ' !' : ''
      return `${cost.toFixed(1)} (${(cost / verbatim).toFixed(2)}x)${mark}`.padStart(18)
    })
    console.log(client.padStart(18) + cells.join(''))
  }
  console.log(`\nA cell above ${goal}x of its row's verbatim cost is marked.`)
}

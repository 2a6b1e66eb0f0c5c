/** Takes every client through the scenarios, at an upstream of every format. One gateway serves them all. */
import type { Test } from 'tap'
import type { Client } from './client.js'
import { heard } from './heard.js'
import { brokenOff, type Pair, scenarios } from './scenarios.js'
import { channels, fourUpstreams, type Upstreams, type Wire, wires } from './upstreams.js'

export interface At {
  readonly url: string
  readonly key: string
}

export async function matrix(
  t: Test,
  build: (at: At) => readonly Client<unknown>[],
): Promise<Upstreams> {
  const gateway = await fourUpstreams(t)
  for (const client of build(gateway)) {
    for (const wire of wires) {
      for (const [title, run] of Object.entries(scenarios)) {
        if (title === brokenOff && client.abilities.streamErrors === 'missed') continue
        const rule = client.wire === wire ? '[SVC-1]' : '[SVC-1] [FMT-9]'
        t.test(`${rule} ${client.name} at a ${wire} upstream: ${title}`, async (t) => {
          gateway.mock.clearFixtures()
          await run(t, pairOf(gateway, client, wire))
        })
      }
    }
  }
  return gateway
}

function pairOf<History>(gateway: Upstreams, client: Client<History>, wire: Wire): Pair<History> {
  const { model } = channels[wire]
  return {
    gateway,
    client,
    wire,
    ask: (question) => client.ask({ ...question, model }),
    heard: () => heard(wire, gateway.upstream.requests.at(-1)!),
  }
}

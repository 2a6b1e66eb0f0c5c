/** What admins see is of all processes of this address: a page must not change with the process that it reaches. */
import type { Json } from '../../../kernel/contract/json.js'
import type { Peers } from '../../../kernel/contract/services/peers.js'
import type { BreakerScope, BreakerStatus, Health } from './health.js'
import { type Dated, latenciesMax } from './latencies.js'

interface Own {
  breakers(): readonly BreakerStatus[]
  reset(scope: BreakerScope): number
  /** With their ages. */
  latencies(channelId: number): readonly Dated[]
}

const breakerTopic = 'breakers'
const resetTopic = 'breakers reset'
const latencyTopic = 'latencies'

type Everywhere = Pick<Health, 'breakersOfAll' | 'resetOfAll' | 'latenciesOfAll'>

export function everywhere(peers: Peers, own: Own): Everywhere {
  const latenciesOf = (ids: readonly number[]) => ids.map((id) => own.latencies(id))
  peers.respond(breakerTopic, () => own.breakers() as unknown as Json)
  peers.respond(resetTopic, (scope) => own.reset(scope as unknown as BreakerScope))
  peers.respond(latencyTopic, (ids) => latenciesOf(ids as readonly number[]) as unknown as Json)

  /** What this process has, and what each of the others does. */
  async function all<Part>(topic: string, part: Part, question?: Json): Promise<readonly Part[]> {
    const replies = await peers.ask(topic, question)
    return [part, ...replies.map(({ reply }) => reply as unknown as Part)]
  }

  return {
    async breakersOfAll() {
      const found = new Map<string, BreakerStatus>()
      for (const one of (await all(breakerTopic, own.breakers())).flat()) {
        const key = `${one.channelId} ${one.keyId} ${one.model}`
        const known = found.get(key)
        found.set(key, known === undefined ? one : together(known, one))
      }
      return [...found.values()]
    },
    async resetOfAll(scope) {
      return Math.max(...(await all(resetTopic, own.reset(scope), { ...scope } as Json)))
    },
    async latenciesOfAll(ids) {
      const parts = await all(latencyTopic, latenciesOf(ids), ids)
      return ids.map((_, at) => newest(parts.flatMap((part) => part[at] ?? [])))
    },
  }
}

/** One that holds back in several: the longest counts. */
function together(one: BreakerStatus, other: BreakerStatus): BreakerStatus {
  return {
    ...(other.retryAt > one.retryAt ? other : one),
    failures: one.failures + other.failures,
    outcomes: one.outcomes + other.outcomes,
  }
}

function newest(dated: readonly Dated[]): readonly number[] {
  const inOrder = dated.toSorted(([age], [other]) => other - age)
  return inOrder.slice(-latenciesMax).map(([, ms]) => ms)
}

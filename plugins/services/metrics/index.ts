/** Numbers for Prometheus, on a listener of their own and never on the public port. Off unless the environment names its port. */

import type { Life } from '../../../kernel/contract/kit.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import type { Peers } from '../../../kernel/contract/services/peers.js'
import { AnswerCounts } from './answer-counts.js'
import { type Exposition, exposition } from './exposition.js'
import { type MetricsListener, openListener } from './listener.js'
import type { Metrics } from './metrics.js'
import { RelayCounts } from './relay-counts.js'
import { pageOfAll } from './workers.js'

export type * from './metrics.js'

export default function create({
  services,
  clock,
  log,
}: Kit<
  'system' | 'traffic' | 'catalog' | 'database' | 'health' | 'peers' | 'recordings'
>): Metrics & Life {
  const { system, traffic, catalog, peers } = services
  const { metrics: place } = system.environment
  let listener: MetricsListener | undefined
  let close = () => {}

  return {
    address: () => listener?.address,
    async start() {
      if (place === undefined) return
      const answers = new AnswerCounts(catalog.routes())
      const relays = new RelayCounts()
      const page = exposition({ ...services, clock, answers, relays })
      close = page.close
      peers.respond(topic, page.own)
      listener = await openListener(place, () => textOf(page, peers))
      log.info({ address: listener.address }, 'Prometheus reads /metrics here')
      traffic.onAnswered((answer) => answers.count(answer))
      traffic.onSettled((settling) => relays.count(settling))
    },
    async stop() {
      await listener?.close()
      close()
    },
  }
}

const topic = 'metrics'

/** Whichever process is asked, the page is that of all processes of this address. */
async function textOf(page: Exposition, peers: Peers): Promise<string> {
  const [own, stored, others] = await Promise.all([page.own(), page.stored(), peers.ask(topic)])
  if (peers.count === 1) return own + stored
  const pages = others.map(({ from, reply }) => ({ from, text: String(reply) }))
  const all = [...pages, { from: peers.number, text: own }].toSorted((a, b) => a.from - b.from)
  return pageOfAll(all) + stored
}

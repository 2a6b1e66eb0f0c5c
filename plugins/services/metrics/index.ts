/** Numbers for Prometheus, on a listener of their own and never on the public port. Off unless the environment names its port. */

import type { Life } from '../../../kernel/contract/kit.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { AnswerCounts } from './answer-counts.js'
import { exposition } from './exposition.js'
import { type MetricsListener, openListener } from './listener.js'
import type { Metrics } from './metrics.js'
import { RelayCounts } from './relay-counts.js'

export type * from './metrics.js'

export default function create({
  services,
  clock,
  log,
}: Kit<'system' | 'traffic' | 'catalog' | 'database' | 'health'>): Metrics & Life {
  const { system, traffic, catalog } = services
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
      listener = await openListener(place, page.text)
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

/**
 * States every now and then that this process is there, and knows which others are. A process that ends in order takes its
 * row along; one that was killed is stale once it was silent for longer than the threshold (API-3).
 */

import type { Life } from '../../../../kernel/contract/kit.js'
import type { Kit } from '../../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../../kernel/toolkit/errors/index.js'
import { createProcessFacts } from './facts.js'
import { instanceStore } from './instance-store.js'
import type { Instance, Instances } from './instances.js'

export type * from './instances.js'

const beatMs = 15_000
const staleAfterSeconds = 90
/** More processes than one database serves. */
const listedMax = 1000

export type InstancesKit = Pick<
  Kit<'database' | 'schedule' | 'system' | 'live' | 'traffic'>,
  'services' | 'clock'
>

export function createInstances({ services, clock }: InstancesKit): Instances & Required<Life> {
  const { database, schedule, system, live } = services
  const store = instanceStore(database)
  const facts = createProcessFacts(services)
  const self = { nodeName: system.nodeName, startedAt: new Date(system.startedAt) }
  let beating = { stop() {} }
  let lastBeat: Promise<void> = Promise.resolve()

  /** Last seen at this very moment is still in time; a millisecond before is not. */
  function threshold(): Date {
    return new Date(clock.now() - staleAfterSeconds * 1000)
  }

  function beat(): Promise<void> {
    const now = clock.now()
    lastBeat = store
      .seen({ ...self, lastSeenAt: new Date(now), info: facts.read(now) })
      .then(() => live.publish('system', { node: self.nodeName }))
    return lastBeat
  }

  return {
    staleAfterSeconds,
    async list() {
      const limit = threshold()
      const rows = await store.list(listedMax)
      return rows.map((row): Instance => ({ ...row, online: row.lastSeenAt >= limit }))
    },
    removeStale: () => store.removeSeenBefore(threshold()),
    async remove(nodeName) {
      if ((await store.removeSeenBefore(threshold(), nodeName)) > 0) return
      if (!(await store.has(nodeName))) throw new Refusal('gone_missing', { what: 'instance' })
      const reason = 'This instance is online; only one that went silent can be removed.'
      throw new Refusal('conflict', { reason })
    },
    async start() {
      facts.start()
      beating = schedule.every('heartbeat of this process', beatMs, beat)
      await beat()
    },
    async stop() {
      beating.stop()
      facts.stop()
      // One under way would come back after it left.
      await lastBeat.catch(() => {})
      await store.leave(self)
    },
  }
}

/**
 * The health of channels as this process sees it: who may be tried now, and what is switched off (ROUTE-3, CHAN-5,
 * S18). Breakers live in memory; what is switched off is in the tables.
 */

import type { Life } from '../../../kernel/contract/kit.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { statusCodes } from '../../../kernel/toolkit/stage/index.js'
import { breakerTerms } from './breaker-options.js'
import { breakerStatuses } from './breaker-statuses.js'
import { Breakers } from './breakers.js'
import { everywhere } from './everywhere.js'
import type { BreakerScope, Health } from './health.js'
import { healthEvents } from './health-events.js'
import { lastKnown } from './last-known.js'
import { createLatencies } from './latencies.js'
import { createOffSwitch } from './off-switch.js'
import { createOutcomes } from './outcomes.js'
import { sharedBreakers } from './shared-breakers.js'

export type * from './health.js'

const breakersMax = 100_000
const keepMs = 60_000

export default function create(
  kit: Kit<'channels' | 'changes' | 'options' | 'live' | 'peers' | 'database' | 'schedule'>,
): Health & Life {
  const { settings, clock, services, log } = kit
  const { channels, changes, options, live, peers, database, schedule } = services
  const breakers = new Breakers(breakersMax)
  const latencies = createLatencies()
  const known = lastKnown({ database, latencies, clock, log })
  const now = () => clock.monotonic()
  let keeping: { stop(): void } | undefined
  let breakerOptions = breakerTerms(settings)
  settings.onChange(() => {
    breakerOptions = breakerTerms(settings)
  })
  options.check('AutomaticDisableStatusCodes', checkStatuses)
  changes.on('channels', (ids) => {
    for (const id of ids) edited(Number(id))
  })
  changes.on('breakers', (scopes) => {
    for (const scope of scopes) breakers.reset(JSON.parse(scope) as BreakerScope)
  })

  function edited(channelId: number): void {
    const channel = channels.get(channelId)
    breakers.edited(channelId, channel)
    if (channel === undefined) latencies.forget(channelId)
  }

  const own = {
    breakers: () => breakerStatuses(breakers, now(), clock.now()),
    reset: (scope: BreakerScope) => breakers.reset(scope),
  }

  return {
    admits: (channelId, keyId, model) =>
      breakers.empty || !breakerOptions.enabled || breakers.admits(channelId, keyId, model, now),
    spares: (channelId, keyId, model) =>
      breakers.empty ||
      !breakerOptions.enabled ||
      breakers.spares({ channelId, keyId, model }, now()),
    wait: (channelId, keyId, model) =>
      breakerOptions.enabled ? breakers.wait({ channelId, keyId, model }, now()) : undefined,
    ...createOutcomes({
      breakers,
      latencies,
      offSwitch: createOffSwitch({ settings, channels, log }),
      breakerOptions: () => breakerOptions,
      now,
      noted: known.failed,
      changed: healthEvents(live, clock),
      shared: sharedBreakers({ peers, breakers, channel: (id) => channels.get(id), now }),
    }),
    ...own,
    ...everywhere(peers, { ...own, latencies: (id) => latencies.dated(id, now()) }),
    latencies: latencies.of,
    tested: (channelId, ms) => latencies.add(channelId, ms, now()),
    lastKnown: known.of,
    start() {
      keeping = schedule.every('health of channels', keepMs, known.write)
    },
    async stop() {
      keeping?.stop()
      await known.writeLast()
    },
  }
}

function checkStatuses(text: string): void {
  try {
    statusCodes(text)
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error)
    const param = 'AutomaticDisableStatusCodes'
    throw new Refusal('invalid_field', { reason: `${param}: ${fault}`, param })
  }
}

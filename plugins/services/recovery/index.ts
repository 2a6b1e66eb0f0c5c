/**
 * Brings back what the gateway switched off: channels, and keys of channels with several, are tested from time to time
 * by one process, a few at once, and are on again after a good test (CHAN-5).
 */

import type { Life } from '../../../kernel/contract/kit.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { withConcurrency } from './concurrency.js'
import { findDue } from './due.js'
import { createExamination, type Finding } from './examination.js'
import type { Recovery, RecoveryReport } from './recovery.js'

export type * from './recovery.js'

const atOnce = 4
const pauseMs = 100

type RecoveryKit = Kit<
  'channels' | 'channel-tests' | 'health' | 'options' | 'schedule' | 'database'
>

export default function create({ services, settings, clock, log }: RecoveryKit): Recovery & Life {
  const { channels, 'channel-tests': tests, health, options, schedule, database } = services
  let stopped = false
  let sayStopping: () => void = () => {}
  const stopping = new Promise<undefined>((resolve) => {
    sayStopping = () => resolve(undefined)
  })
  let running: Promise<RecoveryReport> | undefined
  let job: { readonly ms: number; stop(): void } | undefined

  const examine = createExamination({
    channels,
    tests,
    health,
    log,
    stopping,
    mayResume: () => settings.boolean('enable'),
    slowSeconds: () => (mayDisable() ? settings.number('slow_seconds') : 0),
  })

  function mayDisable(): boolean {
    const key = 'AutomaticDisableChannelEnabled'
    return options.list().find((option) => option.key === key)?.value === 'true'
  }

  async function round(): Promise<RecoveryReport> {
    const found: Record<Finding, number> = { skipped: 0, tested: 0, resumed: 0, suspended: 0 }
    const due = await findDue(database.knex, settings.boolean('test_all'))
    await withConcurrency(
      due,
      async (one) => {
        const finding = await examine(one).catch((error: unknown): Finding => {
          log.error({ err: error, ...one }, 'a channel could not be tested')
          return 'skipped'
        })
        found[finding] += 1
      },
      { concurrency: atOnce, pauseMs, clock, stopping, stopped: () => stopped },
    )
    const { resumed, suspended } = found
    return { tested: found.tested + resumed + suspended, resumed, suspended }
  }

  function run(): Promise<RecoveryReport> {
    running ??= round().finally(() => {
      running = undefined
    })
    return running
  }

  /** Undefined: no run is due, ever. */
  function intervalMs(): number | undefined {
    const wanted = settings.boolean('test_all') || settings.boolean('enable')
    return wanted && !stopped ? settings.number('minutes') * 60_000 : undefined
  }

  function reschedule(): void {
    const ms = intervalMs()
    if (ms === job?.ms) return
    job?.stop()
    job = undefined
    if (ms === undefined) return
    const { stop } = schedule.everyLeased('channel-recovery', ms, async () => void (await run()))
    job = { ms, stop }
  }

  settings.onChange(reschedule)

  return {
    run,
    start: reschedule,
    async stop() {
      stopped = true
      sayStopping()
      reschedule()
      await running
    },
  }
}

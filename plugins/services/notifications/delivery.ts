/** Delivers what waits in the outbox: some notices at once, each within a bound, and looks again when one is done. */
import type { Clock, Log } from '../../../kernel/contract/kit.js'
import type { NoticeOutcome } from '../../../kernel/contract/notifier.js'
import { attemptsMax, type Claimed, type Outbox } from './outbox.js'

const atOnceMax = 8
/** Shorter than the lease, longer than any notifier of this house takes. */
const deliveryMsMax = 45_000
/** How long a stop waits for deliveries under way; others deliver those again. */
const stopMsMax = 5_000

export interface DeliveryDependencies {
  readonly outbox: Outbox
  readonly clock: Clock
  readonly log: Log
  /** Hands one notice over. */
  carry(row: Claimed): Promise<NoticeOutcome>
}

export function createDelivery({ outbox, clock, log, carry }: DeliveryDependencies) {
  const underway = new Set<Promise<void>>()
  let looking: Promise<void> | undefined
  let lookAgain = false
  let stopped = false

  /** Claims what there is room for. Never rejects. */
  async function look(): Promise<void> {
    do {
      lookAgain = false
      const room = atOnceMax - underway.size
      if (stopped || room <= 0) return
      const rows = await outbox.claim(room)
      for (const row of rows) begin(row)
      if (rows.length === room) lookAgain = true
    } while (lookAgain)
  }

  function wake(): void {
    lookAgain = true
    looking ??= look()
      .catch((err: unknown) => log.error({ err }, 'the outbox could not be read'))
      .finally(() => {
        looking = undefined
        if (lookAgain && !stopped) wake()
      })
  }

  function begin(row: Claimed): void {
    const one = deliver(row).finally(() => {
      underway.delete(one)
      if (!stopped) wake()
    })
    underway.add(one)
  }

  async function deliver(row: Claimed): Promise<void> {
    try {
      const outcome = await outcomeOf(row)
      await outbox.settle(row, outcome)
      if (outcome.kind !== 'delivered') {
        const { id, type, attempts } = row
        const facts = { id: String(id), type, attempts, ...outcome }
        // A refusal is its user's to mend, and stands in the outbox; the way itself may be the operator's.
        if (outcome.kind === 'refused') log.info(facts, 'a notice was refused')
        else log.warn(facts, 'a notice was not delivered')
      }
    } catch (err) {
      log.error({ err, id: String(row.id) }, 'what came of a notice could not be written down')
    }
  }

  async function outcomeOf(row: Claimed): Promise<NoticeOutcome> {
    if (row.attempts > attemptsMax) return { kind: 'refused', reason: 'It was tried too often.' }
    let stop = () => {}
    const late = new Promise<NoticeOutcome>((resolve) => {
      const outcome = { kind: 'later', reason: 'The delivery took too long.' } as const
      stop = clock.after(deliveryMsMax, () => resolve(outcome))
    })
    try {
      return await Promise.race([carry(row), late])
    } catch (err) {
      log.error({ err, id: String(row.id) }, 'a notifier failed')
      return { kind: 'later', reason: 'The notice could not be handed over.' }
    } finally {
      stop()
    }
  }

  async function idle(): Promise<void> {
    while (looking !== undefined || underway.size > 0) {
      await looking
      await Promise.all(underway)
    }
  }

  return {
    wake,
    async stop() {
      stopped = true
      let stopWaiting = () => {}
      const enough = new Promise<void>((resolve) => {
        stopWaiting = clock.after(stopMsMax, resolve)
      })
      await Promise.race([idle(), enough])
      stopWaiting()
    },
  }
}

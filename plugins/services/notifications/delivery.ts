/** Delivers what waits in the outbox: some notices at once, each within a bound, and looks again when one is done. */
import type { Clock, Log } from '../../../kernel/contract/kit.js'
import type { NoticeOutcome } from '../../../kernel/contract/notifier.js'
import { attemptsMax, type Claimed, type Lane, type Outbox } from './outbox.js'

const atOnceMax = 8
/** Shorter than the lease, longer than any notifier of this house takes. */
const deliveryMsMax = 45_000
/** How long a stop waits for deliveries under way; others deliver those again. */
const stopMsMax = 5_000

export interface DeliveryDependencies {
  readonly outbox: Outbox
  readonly lane: Lane
  readonly clock: Clock
  readonly log: Log
  /** Hands one notice over. */
  carry(row: Claimed): Promise<NoticeOutcome>
}

export class Delivery {
  private readonly underway = new Set<Promise<void>>()
  private looking: Promise<void> | undefined
  private lookAgain = false
  private stopped = false

  constructor(private readonly dependencies: DeliveryDependencies) {}

  wake(): void {
    this.lookAgain = true
    this.looking ??= this.look()
      .catch((err: unknown) => {
        this.dependencies.log.error({ err }, 'the outbox could not be read')
      })
      .finally(() => {
        this.looking = undefined
        if (this.lookAgain && !this.stopped) this.wake()
      })
  }

  async stop(): Promise<void> {
    this.stopped = true
    let stopWaiting = () => {}
    const enough = new Promise<void>((resolve) => {
      stopWaiting = this.dependencies.clock.after(stopMsMax, resolve)
    })
    await Promise.race([this.idle(), enough])
    stopWaiting()
  }

  /** Claims what there is room for. */
  private async look(): Promise<void> {
    do {
      this.lookAgain = false
      const room = atOnceMax - this.underway.size
      if (this.stopped || room <= 0) return
      const { outbox, lane } = this.dependencies
      const rows = await outbox.claim(room, lane)
      for (const row of rows) this.begin(row)
      if (rows.length === room) this.lookAgain = true
    } while (this.lookAgain)
  }

  private begin(row: Claimed): void {
    const one = deliver(row, this.dependencies).finally(() => {
      this.underway.delete(one)
      if (!this.stopped) this.wake()
    })
    this.underway.add(one)
  }

  private async idle(): Promise<void> {
    while (this.looking !== undefined || this.underway.size > 0) {
      await this.looking
      await Promise.all(this.underway)
    }
  }
}

/** Never rejects. */
async function deliver(row: Claimed, dependencies: DeliveryDependencies): Promise<void> {
  const { outbox, log } = dependencies
  try {
    const outcome = await outcomeOf(row, dependencies)
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

async function outcomeOf(
  row: Claimed,
  { carry, clock, log }: DeliveryDependencies,
): Promise<NoticeOutcome> {
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

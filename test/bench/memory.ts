/** Loaded into a gateway under test before anything else: states on demand what it holds once what is not used was collected. */
import { setImmediate as turn } from 'node:timers/promises'

export interface Held {
  /** Bytes. */
  readonly heap: number
  readonly outsideHeap: number
  /** How many of each kind the event loop watches, such as `TCPSocketWrap` and `Timeout`. */
  readonly resources: Readonly<Record<string, number>>
}

process.on('message', (ask) => {
  if (ask === 'held') void report()
})

async function report(): Promise<void> {
  // What a first collection has finalized is gone after a second one.
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.()
    await turn()
  }
  const { heapUsed, external } = process.memoryUsage()
  const resources: Record<string, number> = {}
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1
  const held: Held = { heap: heapUsed, outsideHeap: external, resources }
  process.send?.(held)
}

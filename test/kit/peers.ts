/** Processes of one address in one process: each as a worker has its peers, with messages that cross as text in a later turn. */

import type { ToPrimary, ToWorker } from '../../config/workers/messages.js'
import { createPeers, type WorkerPeers } from '../../config/workers/peers.js'

export interface LinkedPeers {
  readonly all: readonly WorkerPeers[]
  /** The process of this number is no more. */
  end(number: number, nodeName: string, pid?: number): void
}

/** All have joined. */
export function linkedPeers(count: number): LinkedPeers {
  const living = new Map<number, WorkerPeers>()

  function others(than: number): readonly number[] {
    return [...living.keys()].filter((number) => number !== than)
  }

  function pass(to: number, message: Extract<ToWorker, { kind: string }>): void {
    const text = JSON.stringify(message)
    setImmediate(() => living.get(to)?.take(JSON.parse(text)))
  }

  function take(from: number, message: ToPrimary): void {
    if (message.kind === 'news') {
      for (const to of others(from)) pass(to, { kind: 'news', from, news: message.news })
    } else if (message.kind === 'question') {
      const { id, topic, question } = message
      pass(from, { kind: 'asked', id, whom: others(from) })
      for (const to of others(from)) pass(to, { kind: 'question', from, id, topic, question })
    } else if (message.kind === 'reply') {
      const { to, id, reply } = message
      pass(to, { kind: 'reply', from, id, reply })
    }
  }

  for (let number = 1; number <= count; number++) {
    const made = createPeers({ number, count }, (message) => take(number, message))
    living.set(number, made)
    made.join()
  }
  return {
    all: [...living.values()],
    end(number, nodeName, pid = 0) {
      living.delete(number)
      for (const to of living.keys()) pass(to, { kind: 'gone', number, nodeName, pid })
    },
  }
}

/** Until all messages sent so far have been heard. */
export async function heard(): Promise<void> {
  for (let turn = 0; turn < 6; turn++) await new Promise((resolve) => setImmediate(resolve))
}

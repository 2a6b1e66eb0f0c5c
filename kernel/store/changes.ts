/**
 * Keeps the memory of every process in step with the tables. A note is a row, written in the transaction that
 * changes something, and a NOTIFY that only wakes readers up; a poll every 5 s finds what a lost wake-up would hide.
 */
import type { Knex } from 'knex'
import type { Changes, RowId } from '../contract/services/changes.js'
import type { Peers } from '../contract/services/peers.js'
import { noPeers } from '../peers.js'
import { ChangeReader, type ChangeReaderDependencies, changeChannel } from './change-reader.js'
import type { Connections } from './connections.js'
import type { EveryListener } from './topics.js'
import { openWakeUp } from './wake-up.js'

const settledTopic = 'changes settled'

/** For the kernel, which passes on what changed without knowing what it is. */
export interface Overheard {
  /** Hears of changed rows of every topic, once those who keep them in memory have heard. */
  onEvery(listener: EveryListener): void
}

export interface OpenChanges extends Changes, Overheard {
  close(): Promise<void>
}

/** Hears of everything that commits after it resolved. */
export async function openChanges(
  dependencies: ChangeReaderDependencies & {
    readonly connections: Pick<Connections, 'single'>
    readonly peers?: Peers
  },
): Promise<OpenChanges> {
  const { peers = noPeers } = dependencies
  const reader = new ChangeReader(dependencies)
  peers.respond(settledTopic, async () => {
    await reader.settled()
    return true
  })
  await reader.start()
  const wakeUp = await openWakeUp({
    connection: () => dependencies.connections.single('listen'),
    channel: changeChannel,
    wake: () => reader.wake(),
    clock: dependencies.clock,
    log: dependencies.log,
  })
  return {
    note,
    on: (topic, listener) => reader.on(topic, listener),
    onEvery: (listener) => reader.onEvery(listener),
    // The next request of whoever changed something may reach another process of this address.
    settled: async () => void (await Promise.all([reader.settled(), peers.ask(settledTopic)])),
    close: async () => {
      await wakeUp.close()
      await reader.close()
    },
  }
}

async function note(
  trx: Knex.Transaction,
  topic: string,
  id: RowId | readonly RowId[],
): Promise<void> {
  const ids = (typeof id === 'object' ? id : [id]).map(String)
  if (ids.length === 0) return
  await trx.raw(
    `WITH noted AS (INSERT INTO changes (topic, row_id) SELECT ?::text, unnest(?::text[]))
     SELECT pg_notify(?, ?)`,
    [topic, ids, changeChannel, ''],
  )
}

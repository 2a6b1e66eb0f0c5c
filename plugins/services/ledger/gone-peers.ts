/**
 * Processes of the same address: the end of one is known at once, so nobody waits until it has been silent for long. What it held is
 * closed by those who live (ledger/README.md section 6).
 */
import { isObject } from '../../../kernel/contract/json.js'
import type { Log } from '../../../kernel/contract/kit.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { Peers } from '../../../kernel/contract/services/peers.js'
import type { Instance } from './instance.js'

export interface GonePeersDependencies {
  readonly peers: Peers
  readonly database: Database
  readonly instance: Pick<Instance, 'owner'>
  readonly sweep: () => Promise<unknown>
  readonly log: Log
}

const topic = 'ledger epoch'

/** Returns what announces this process to the others, again and again: they have to know its epoch before it ends. */
export function followPeers(dependencies: GonePeersDependencies): () => void {
  const { peers, database, instance, sweep, log } = dependencies
  const epochs = new Map<string, string>()

  /** Its successor has the same name, and another epoch. */
  async function end(nodeName: string): Promise<void> {
    const epoch = epochs.get(nodeName)
    if (epoch === undefined) return
    epochs.delete(nodeName)
    await database.query({
      name: 'instance-gone',
      text: `UPDATE instances SET stopped_at = now()
        WHERE id = $1 AND epoch = $2 AND stopped_at IS NULL`,
      values: [nodeName, epoch],
    })
    await sweep()
  }

  peers.on(topic, (message) => {
    if (isObject(message)) epochs.set(String(message.instance), String(message.epoch))
  })
  peers.onGone(({ nodeName }) => {
    end(nodeName).catch((err: unknown) => {
      log.warn({ err, instance: nodeName }, 'holds of a process that ended are closed later')
    })
  })
  return () => {
    const { instance: id, epoch } = instance.owner
    peers.publish(topic, { instance: id, epoch: epoch.toString() })
  }
}

/**
 * This process among its equals: a new epoch at every start, a heartbeat by the database's clock.
 * Whoever finds its epoch taken over has been replaced and may set nothing aside any more (ledger/README.md
 * section 6).
 */
import type { Log } from '../../../kernel/contract/kit.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { System } from '../../../kernel/contract/services/system.js'
import type { Owner } from './batch.js'

export interface Instance {
  readonly owner: Owner
  /** Takes a new epoch, which orphans whatever an earlier life of this name left open. */
  register(): Promise<void>
  /**
   * Resolves with false once this process has been replaced or stopped. Callers at the same time
   * share one beat.
   */
  beat(): Promise<boolean>
  /** Announces the end: what is still held here is orphaned at once. */
  leave(): Promise<void>
}

/**
 * A longer silence between two beats means that this process was cut off, and that others may have been as well: it has
 * to be connected for a whole lease again before it may judge them (decision 33).
 */
const silenceMaxSeconds = 10

export function createInstance(database: Database, system: System, log: Log): Instance {
  const id = system.nodeName
  let epoch = 0n
  let left = false
  let beating: Promise<boolean> | undefined

  async function register(): Promise<void> {
    const { rows } = await database.query({
      name: 'instance-register',
      text: `
        INSERT INTO instances (id, epoch, version, holds_compared_at)
        VALUES ($1, nextval('instance_epochs'), $2, now())
        ON CONFLICT (id) DO UPDATE SET
          epoch = excluded.epoch, version = excluded.version, started_at = now(), last_seen = now(),
            connected_since = now(), holds_compared_at = now(), stopped_at = NULL
        RETURNING epoch`,
      values: [id, system.version],
    })
    epoch = BigInt(rows[0].epoch)
    left = false
  }

  async function seen(): Promise<boolean> {
    if (left) return false
    const touched = await database.query({
      name: 'instance-beat',
      text: `UPDATE instances SET last_seen = now(), connected_since =
          CASE WHEN last_seen < now() - $3 * interval '1 second' THEN now() ELSE connected_since END
        WHERE id = $1 AND epoch = $2 AND stopped_at IS NULL`,
      values: [id, epoch, silenceMaxSeconds],
    })
    if (touched.rowCount === 1) return true
    const { rows } = await database.query({
      name: 'instance-epoch',
      text: 'SELECT epoch FROM instances WHERE id = $1',
      values: [id],
    })
    if (rows.length > 0) {
      log.error({ instance: id }, 'another process runs under this NODE_NAME: nothing is admitted')
      return false
    }
    await register()
    return true
  }

  function beat(): Promise<boolean> {
    beating ??= seen().finally(() => {
      beating = undefined
    })
    return beating
  }

  async function leave(): Promise<void> {
    left = true
    await database.query({
      name: 'instance-leave',
      text: 'UPDATE instances SET stopped_at = now() WHERE id = $1 AND epoch = $2',
      values: [id, epoch],
    })
  }

  return {
    get owner() {
      return { instance: id, epoch }
    },
    register,
    beat,
    leave,
  }
}

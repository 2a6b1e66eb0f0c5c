/** What others see of the processes that serve this database, as each of them last reported (API-3). */
import type { JsonObject } from '../../../../kernel/contract/json.js'

export interface Instances {
  /** Every process that reported and was not removed, by name. */
  list(): Promise<readonly Instance[]>
  /** Removes those last seen longer ago than the threshold; answers how many. */
  removeStale(): Promise<number>
  /** Removes one of them. Rejects with `not_found`, and with `conflict` while it is online. */
  remove(nodeName: string): Promise<void>
  readonly staleAfterSeconds: number
}

export interface Instance {
  readonly nodeName: string
  readonly startedAt: Date
  readonly lastSeenAt: Date
  /** Seen within the threshold, its last moment included. */
  readonly online: boolean
  readonly info: JsonObject
}

/** What the routes of this area work with. */
import type { Records } from '../records.js'
import type { Bulk } from './bulk.js'
import type { ColumnDependencies } from './columns.js'
import type { CopyChannel } from './copies.js'
import type { Saving } from './save.js'

export interface ChannelStore extends Saving, Bulk {
  readonly copy: CopyChannel
  readonly records: Records
  /** Of a request that this admin made, now. */
  terms(by: string): ColumnDependencies
}

/** Two admins at one channel: who would write over what they have never seen gets an error, and nothing is written. */
import { Refusal } from '../../../../kernel/toolkit/errors/index.js'
import { channelRecord } from '../channel-record.js'
import type { ChannelRow } from '../channel-row.js'
import type { ChannelChanges } from '../forms.js'
import type { ColumnDependencies } from './columns.js'

/** Throws `conflict`. The row is locked. */
export function unchangedSince(
  seen: NonNullable<ChannelChanges['seen']>,
  row: ChannelRow,
  { fields }: Pick<ColumnDependencies, 'fields'>,
): void {
  const now: Readonly<Record<string, unknown>> = channelRecord(row, { fields: fields(row.type) })
  for (const [name, value] of Object.entries(seen)) {
    if (!Object.hasOwn(now, name) || now[name] === value) continue
    const reason = `Somebody else has changed the field "${name}" meanwhile.`
    throw new Refusal('conflict', { reason, param: name })
  }
}

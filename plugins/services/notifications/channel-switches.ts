/** Tells root when the gateway itself switched a channel off or on again (CHAN-5). */
import type { Knex } from 'knex'
import type { NewNotice } from './notifications.js'

/** What of the `channels` service names one switch: `<channel>:<status>:<what distinguishes it>`. */
export const switchTopic = 'channel-switches'

const on = 1

/** Every process is notified of a switch; its key makes one notice of them. */
export async function notifyOfSwitches(
  knex: Knex,
  switches: ReadonlySet<string>,
  tellRoot: (notice: NewNotice, key: string) => Promise<void>,
): Promise<void> {
  for (const one of switches) {
    const [id, status] = one.split(':').map(Number)
    const row = await knex('channels')
      .select<{ name: string; status_reason: string }[]>('name', 'status_reason')
      .where({ id })
      .first()
    if (row !== undefined) await tellRoot(noticeOf(Number(id), row, status === on), one)
  }
}

function noticeOf(
  id: number,
  { name, status_reason }: { readonly name: string; readonly status_reason: string },
  isOn: boolean,
): NewNotice {
  const channel = `${name} (#${id})`
  if (isOn) {
    return {
      type: 'channel_update',
      title: `Channel ${channel} is on again`,
      content: 'The gateway switched the channel {{value}} on again: a test of it went well.',
      values: [channel],
    }
  }
  return {
    type: 'channel_update',
    title: `Channel ${channel} was switched off`,
    content: 'The gateway switched the channel {{value}} off. Reason: {{value}}',
    values: [channel, status_reason || 'none is known any more.'],
  }
}

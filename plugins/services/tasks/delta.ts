/** Whether a channel settles what its tasks made at all (CHAN-3). */
import type { Channel } from '../../../kernel/contract/line/channel.js'

/** `settings.disable_task_delta_settlement`: what was charged at submission stands, except where a task fails. */
export function deltaIsOff({ settings }: Pick<Channel, 'settings'>): boolean {
  return settings.disable_task_delta_settlement === true
}

/** Whose tasks went on: open pages of their owner, and of admins, read them again (decision 27). */
import type { Changes } from '../../../kernel/contract/services/changes.js'
import type { Live } from '../../../kernel/contract/services/live.js'

/** The topic of changes; its rows are owners, by their ids. */
export const taskNews = 'tasks'

/** Every process passes on to its own consoles what was noted in any. */
export function passOnNews(changes: Pick<Changes, 'on'>, live: Live): void {
  changes.on(taskNews, (ids) => {
    for (const id of ids) live.publish('tasks', {}, Number(id))
  })
}

/** Requests whose upstream works asynchronously. */
import type { Picked } from '../../contract/line/record.js'

type Worked = Pick<Picked, 'work' | 'adapter'>

/** The client waits for its answer as ever, while a media task is watched within its request (`TaskAdapter.folded`). */
export function isFolded({ work, adapter }: Worked): boolean {
  return work !== undefined && work.task !== true && adapter.format === 'task'
}

/** A row of a task goes along with the request. */
export function isTask(state: Worked): boolean {
  return state.work?.task === true || isFolded(state)
}

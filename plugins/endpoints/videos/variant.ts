/** Which result of a task a client downloads. */
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { invalidField } from '../../../kernel/toolkit/operation/index.js'
import type { ShownResult, TaskRecord } from '../../services/tasks/index.js'

type IsIt = (result: ShownResult) => boolean

const named =
  (variant: string): IsIt =>
  ({ meta }) =>
    meta?.variant === variant

/** In the order they are looked for. */
const variants: Readonly<Record<string, readonly IsIt[]>> = {
  video: [named('video'), ({ type }) => type === 'video', ({ type }) => type !== 'text'],
  thumbnail: [named('thumbnail'), ({ type }) => type === 'image'],
  spritesheet: [named('spritesheet')],
}

/** Throws a `Refusal` where there is no such variant, or the task made none. */
export function indexOf(
  { taskId, results }: Pick<TaskRecord, 'taskId' | 'results'>,
  variant = 'video',
): number {
  const ways = Object.hasOwn(variants, variant) ? variants[variant] : undefined
  if (ways === undefined) {
    throw invalidField('variant', `must be one of ${Object.keys(variants).join(', ')}`)
  }
  for (const isIt of ways) {
    const found = results.find(isIt)
    if (found !== undefined) return found.index
  }
  throw new Refusal('task_result_missing', { task: taskId })
}

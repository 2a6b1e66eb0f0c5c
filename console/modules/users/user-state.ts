/** How a user stands: a word of the texts `users.states`, and its colour. */
import type { User } from '../../api/users.js'

export const statusOn = 1

export function stateOf({ status, DeletedAt }: Pick<User, 'status' | 'DeletedAt'>) {
  if (DeletedAt !== null) return { name: 'deleted', tone: 'quiet' } as const
  return status === statusOn
    ? ({ name: 'on', tone: 'good' } as const)
    : ({ name: 'off', tone: 'bad' } as const)
}

/** Reports of upstreams at the address of one task: the bytes as they came, to the service (BILL-10). */
import type { Clock } from '../../../kernel/contract/kit.js'
import type { ManagementRequest } from '../../../kernel/contract/management.js'
import type { TaskCallback } from '../../../kernel/contract/task.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Tasks } from '../../services/tasks/index.js'

type CallbackRequest = ManagementRequest<Readonly<Record<string, unknown>>, Buffer | undefined>

export interface CallbackDependencies {
  readonly tasks: Pick<Tasks, 'notice'>
  readonly clock: Clock
}

/** Upstreams wait for little; one that is refused reports again, and is polled in any case. */
const boundMs = 10_000

/** Rejects with the same `task_not_found` whether the task is not there or the secret is another's. */
export async function receive(
  method: TaskCallback['method'],
  { params, headers, query, body = Buffer.alloc(0) }: CallbackRequest,
  { tasks, clock }: CallbackDependencies,
): Promise<null> {
  const callback = { method, headers: joined(headers), query: texts(query), body }
  let enough = () => {}
  const late = new Promise<never>((_, reject) => {
    const slow = () => reject(new Refusal('database_unavailable'))
    enough = clock.after(boundMs, slow)
  })
  const taken = tasks.notice(params.task ?? '', params.secret ?? '', callback)
  try {
    await Promise.race([taken, late])
  } finally {
    enough()
    // What fails behind the bound is lost to this caller, and polled for.
    taken.catch(() => {})
  }
  return null
}

function joined(headers: CallbackRequest['headers']): Record<string, string> {
  const found: Record<string, string> = Object.create(null)
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) found[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return found
}

/** Of a field that stands there twice, the first. */
function texts(query: Readonly<Record<string, unknown>>): Record<string, string> {
  const found: Record<string, string> = Object.create(null)
  for (const [name, value] of Object.entries(query)) {
    const [first] = [value].flat()
    if (first !== undefined) found[name] = String(first)
  }
  return found
}

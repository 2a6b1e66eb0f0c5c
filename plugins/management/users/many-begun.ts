/**
 * A write of many transactions may break off between two of them, and only its end is recorded by the route itself. What it sets
 * out to do therefore stands in the audit log before the first one (E9).
 */
import type { ManagementRequest } from '../../../kernel/contract/management.js'
import type { Services } from '../../../kernel/contract/service.js'
import { idsText } from './many-people.js'

interface Begun {
  /** Name of the route. */
  readonly route: string
  readonly ids: readonly number[]
  readonly what: string
}

export async function recordBegun(
  { requestId, address, principal }: ManagementRequest,
  audit: Services['audit'],
  { route, ids, what }: Begun,
): Promise<void> {
  const [action, object] = [`users.${route}`, `users ${idsText(ids)}`]
  await audit.record({
    ...{ requestId, address, principal, action, object },
    detail: `begins: ${what}, ${ids.length} users`,
  })
}

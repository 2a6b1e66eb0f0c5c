/** Who may do what to whom: everyone manages lower roles only, root alone makes and unmakes admins. */
import type { Principal } from '../../../kernel/contract/management.js'
import { Refusal } from '../../../kernel/errors.js'
import type { StateAction } from './forms.js'
import { roles, states, type UserRow } from './user-row.js'

/** Throws `forbidden` unless the caller outranks the user. Root may edit itself. */
export function mayEdit(principal: Principal, user: UserRow): void {
  const self = principal.role === roles.root && principal.userId === user.id
  if (!self && principal.role <= user.role) throw new Refusal('forbidden')
}

/** What the action makes of the user. Throws `forbidden` where the caller's rank does not reach. */
export function outcomeOf(
  principal: Principal,
  user: UserRow,
  action: StateAction,
): { readonly role: number; readonly status: number } {
  if (principal.role <= user.role) throw new Refusal('forbidden')
  if (action === 'promote' || action === 'demote') {
    if (principal.role !== roles.root) throw new Refusal('forbidden')
    return { role: action === 'promote' ? roles.admin : roles.common, status: user.status }
  }
  return { role: user.role, status: action === 'enable' ? states.on : states.off }
}

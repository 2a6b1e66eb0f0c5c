/** Who may do what to whom: everyone manages lower roles only, root alone makes and unmakes admins. */
import type { Principal } from '../../../kernel/contract/management.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { StateAction, UserChanges } from './forms.js'
import { roles, states, type UserRow } from './user-row.js'

export interface Standing {
  readonly role: number
  readonly status: number
}

/** Throws `forbidden` unless the caller outranks the user. */
export function mustOutrank(principal: Pick<Principal, 'role'>, user: Standing): void {
  if (principal.role <= user.role) throw new Refusal('forbidden')
}

/** Throws `forbidden` where the caller, as their row stands now, has lost what the request was let in with. */
export function mustStillAct(caller: Pick<Principal, 'role'>, self: UserRow | undefined): void {
  const isActive = self?.deleted_at === null && self.status === states.on
  if (!isActive || self.role < caller.role) throw new Refusal('forbidden')
}

/**
 * Throws `forbidden` unless the caller outranks the user. Root may edit itself, but for its password and role: those
 * are changed where it shows that it is root.
 */
export function mayEdit(principal: Principal, user: UserRow, changes: UserChanges): void {
  const self = principal.role === roles.root && principal.userId === user.id
  if (self && changes.password === undefined && !changesRole(user, changes)) return
  mustOutrank(principal, user)
  if (!changesRole(user, changes)) return
  mustBeRoot(principal)
  // There is one root (setup made it).
  if (changes.role === roles.root) throw new Refusal('forbidden', { param: 'role' })
}

function changesRole(user: Standing, { role }: Pick<UserChanges, 'role'>): boolean {
  return role !== undefined && role !== user.role
}

/** What the action makes of the user. Throws `forbidden` where the caller's rank does not reach. */
export function outcomeOf(
  principal: Principal,
  user: Standing,
  action: Exclude<StateAction, 'delete'>,
): Standing {
  mustOutrank(principal, user)
  if (action === 'promote' || action === 'demote') {
    mustBeRoot(principal)
    return { role: action === 'promote' ? roles.admin : roles.common, status: user.status }
  }
  return { role: user.role, status: action === 'enable' ? states.on : states.off }
}

export function mustBeRoot({ role }: Pick<Principal, 'role'>): void {
  if (role !== roles.root) throw new Refusal('forbidden')
}

/** What the signed-in admin may do to a user, and why not where they may not: everyone manages lower roles only. */
import type { User } from '../../api/users.js'
import { roles } from '../../shell/roles.js'

interface Caller {
  readonly id: number
  readonly role: number
}

type Ranked = Pick<User, 'id' | 'role' | 'DeletedAt'>

/** A key of the texts `users.why`; undefined: nothing is in the way. */
export type Hindrance = 'deleted' | 'self' | 'rank' | 'root' | undefined

/** To switch, delete, or change what lets them in. */
export function hindranceOf(caller: Caller, user: Ranked): Hindrance {
  if (user.DeletedAt !== null) return 'deleted'
  if (caller.role > user.role) return undefined
  return caller.id === user.id ? 'self' : 'rank'
}

/** To change names, group and remark: root may do so to itself too. */
export function editHindranceOf(caller: Caller, user: Ranked): Hindrance {
  const hindrance = hindranceOf(caller, user)
  return hindrance === 'self' && caller.role === roles.root ? undefined : hindrance
}

/** To make an admin, or a common user of one. */
export function roleHindranceOf(caller: Caller, user: Ranked): Hindrance {
  return hindranceOf(caller, user) ?? (caller.role === roles.root ? undefined : 'root')
}

/** To move money, one's own included. */
export function balanceHindranceOf(caller: Caller, user: Ranked): Hindrance {
  if (user.DeletedAt !== null) return 'deleted'
  return caller.role === roles.root ? undefined : 'root'
}

/** For what a script may not do: its access token is no session. */
import type { ManagementRequest, Principal } from '../../../kernel/contract/management.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { signedIn } from '../../../kernel/toolkit/management/index.js'

/** Throws `session_required`. */
export function openedSession(request: Pick<ManagementRequest, 'principal'>): Principal {
  const principal = signedIn(request)
  if (principal.via !== 'session') throw new Refusal('session_required')
  return principal
}

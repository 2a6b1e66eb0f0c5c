/** Who may send the stored key of a channel elsewhere: root with the proof that also shows the key, and nobody else. */
import type { Knex } from 'knex'
import type { ManagementRequest } from '../../../kernel/contract/management.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Redirected } from '../../services/channels/index.js'
import type { Verification } from '../../services/verification/index.js'

const rootRole = 100

/** Throws `channel_key_required`, naming the field to write anew, or `verification_required` for root in a session. */
type RedirectRight = (redirected: Redirected, trx: Knex.Transaction) => Promise<void>

export function redirectRight(
  verification: Verification,
  request: Pick<ManagementRequest, 'principal' | 'headers'>,
): RedirectRight {
  const { principal } = request
  return async ({ changed, secrets }, trx) => {
    const [param] = secrets
    if (param === undefined) return
    // An access token cannot bring a proof, but it can bring the key.
    if (principal?.role !== rootRole || principal.via !== 'session') {
      throw new Refusal('channel_key_required', { changed: changed.join(', '), param })
    }
    await verification.require(request, 'channel_key', trx)
  }
}

/** Who is signed in, as of this request, and that it was their own console that sent it. */
import type { Inbound } from '../../../kernel/contract/endpoint.js'
import type { User } from '../../../kernel/contract/line/people.js'
import type { Principal } from '../../../kernel/contract/management.js'
import { requireSameOrigin } from '../../../kernel/toolkit/endpoint/index.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Identity } from '../../services/identity/index.js'
import type { Ledger } from '../../services/ledger/index.js'

export interface UserServices {
  readonly identity: Pick<Identity, 'principal'>
  readonly ledger: Pick<Ledger, 'wallets'>
}

export type SignedInUser = (inbound: Pick<Inbound, 'client' | 'method' | 'secure'>) => Promise<User>

/** Rejects with `unauthorized`, `cross_site_request`, or `database_unavailable`. */
export function createSignedInUser({ identity, ledger }: UserServices): SignedInUser {
  return async ({ client: { headers }, method, secure = false }) => {
    const principal = await read(() => identity.principal({ headers, secure }))
    // An access token spends nothing, whatever its scopes: scripts have API keys for that, which have limits of their own.
    if (principal?.via !== 'session') throw new Refusal('unauthorized')
    requireSameOrigin(method, headers, secure)
    const wallets = await read(() => ledger.wallets([principal.userId]))
    const wallet = wallets.get(principal.userId)
    if (wallet === undefined) throw new Refusal('insufficient_user_quota')
    return userOf(principal, wallet.accountId)
  }
}

async function read<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    if (cause instanceof Refusal) throw cause
    throw new Refusal('database_unavailable', {}, { cause })
  }
}

function userOf({ userId, username, role, group }: Principal, walletId: number): User {
  return { id: userId, username, role, group, walletId }
}

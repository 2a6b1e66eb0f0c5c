/** Who calls: clients of the protocol send their key as `mj-api-secret`, others as everywhere. */
import type { Client, Credential } from '../../../kernel/contract/client.js'
import { bearerCredential } from '../../../kernel/toolkit/endpoint/index.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Identity } from '../../services/identity/index.js'

/** What some clients send in `Authorization` whatever their key. */
const placeholder = 'midjourney-proxy'

export function credentialOf({ headers }: Pick<Client, 'headers'>): Credential {
  const usual = bearerCredential(headers)
  if (usual.kind === 'key' && usual.key !== placeholder) return usual
  return bearerCredential({ authorization: String(headers['mj-api-secret'] ?? '') })
}

export async function userIdOf(client: Client, identity: Pick<Identity, 'byKey'>): Promise<number> {
  const credential = credentialOf(client)
  if (credential.kind !== 'key') throw new Refusal('missing_credential')
  const { user } = await identity.byKey(credential.key, client.address)
  return user.id
}

/**
 * `POST /pg/chat/completions`: chat for the user who is signed in to the console. A group named in the body goes before
 * any policy and stays here; a call with a token's key works too (FMT-15).
 */

import type { Credential } from '../../../kernel/contract/client.js'
import type { Endpoint, Inbound, RelayRequest } from '../../../kernel/contract/endpoint.js'
import type { Json } from '../../../kernel/contract/json.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { changed } from '../../../kernel/toolkit/body/index.js'
import { bearerCredential, requireJson } from '../../../kernel/toolkit/endpoint/index.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { readJson } from '../../../kernel/toolkit/json/index.js'
import { createSignedInUser } from './signed-in-user.js'

export default function create({ services }: Kit<'identity' | 'ledger'>): Endpoint {
  const signedIn = createSignedInUser(services)

  function caller(head: Pick<Inbound, 'client' | 'method' | 'secure'>) {
    const { headers } = head.client
    requireJson(headers)
    const key = bearerCredential(headers)
    return key.kind === 'key' ? key : visitor(head)
  }

  async function visitor(head: Pick<Inbound, 'client' | 'method' | 'secure'>): Promise<Credential> {
    return { kind: 'user', user: await signedIn(head) }
  }

  function receive({ payload, credential = nobody }: Inbound): RelayRequest {
    return { operation: 'chat', format: 'chat', credential, ...requestOf(payload) }
  }

  return { routes: { create: { kind: 'relay', caller, receive } } }
}

const nobody: Credential = { kind: 'none' }

function requestOf(bytes: Buffer): Pick<RelayRequest, 'body' | 'requestedGroup'> {
  const value = readJson(bytes)
  const body = { kind: 'json', value, bytes } as const
  if (value.group === undefined) return { body }
  const { group, ...rest } = value
  return { body: changed(body, rest), requestedGroup: groupName(group) }
}

/** None chosen is no group at all. */
function groupName(group: Json): string | undefined {
  if (group === null || group === '') return undefined
  if (typeof group === 'string') return group
  throw new Refusal('invalid_request', { param: 'group', reason: 'group must be a string.' })
}

/**
 * Who sends a request, by its head alone: a body is read only once that is known (F6). The line asks again
 * when its turn comes; what is known by then costs it no wait.
 */

import type { Credential } from '../../contract/client.js'
import type { EndpointRoute, Inbound } from '../../contract/endpoint.js'
import type { RouteManifest } from '../../contract/manifest.js'
import type { Authenticator, Caller } from '../../contract/services/ports.js'
import {
  bearerCredential,
  generativeCredential,
  messagesCredential,
} from '../../toolkit/endpoint/credential.js'
import { Refusal } from '../../toolkit/errors/refusal.js'

/** Nobody is known: the route requires no credential. */
export interface Known {
  readonly caller?: Caller
  readonly credential?: Credential
}

type Head = Pick<Inbound, 'method' | 'client' | 'secure'>

export interface Callers {
  /** A promise only where something has to be looked up. Throws a `Refusal`, or rejects with one. */
  of(head: Head): Known | Promise<Known>
}

type BodyRoute = Exclude<EndpointRoute, { readonly kind: 'socket' }>

const nobody: Known = Object.freeze({})

export function createCallers(
  { credential: wanted, format }: RouteManifest,
  route: BodyRoute,
  authenticator: Pick<Authenticator, 'byKey'>,
): Callers {
  function known(credential: Credential, { client }: Head): Known | Promise<Known> {
    if (credential.kind === 'none') throw new Refusal('missing_credential')
    if (credential.kind === 'user') return { caller: { user: credential.user }, credential }
    const caller = authenticator.byKey(credential.key, client.address)
    if (caller instanceof Promise) return caller.then((caller) => ({ caller, credential }))
    return { caller, credential }
  }

  if (route.caller === undefined && wanted !== 'key') return { of: () => nobody }
  const credentialOf = keyPlace(format)
  return {
    of(head) {
      const credential = route.caller?.(head) ?? credentialOf(head)
      if (credential instanceof Promise) return credential.then((found) => known(found, head))
      return known(credential, head)
    },
  }
}

/** Where clients of a format put their key (AUTH-1). */
function keyPlace(format: RouteManifest['format']): (head: Head) => Credential {
  switch (format) {
    case 'messages':
      return ({ client }) => messagesCredential(client.headers)
    case 'generative':
      return ({ client }) => generativeCredential(client)
    default:
      return ({ client }) => bearerCredential(client.headers)
  }
}

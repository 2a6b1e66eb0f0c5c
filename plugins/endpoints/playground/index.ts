/**
 * `/pg/…`: chat and media for the user who is signed in to the console. A group named in the body goes before any policy
 * and stays here; a call with a token's key works too (FMT-15).
 */

import type { Credential } from '../../../kernel/contract/client.js'
import type {
  Endpoint,
  EndpointRoute,
  Inbound,
  RelayRequest,
} from '../../../kernel/contract/endpoint.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { bearerCredential, requireJson } from '../../../kernel/toolkit/endpoint/index.js'
import { imagesRequest, midjourneyTask, musicTask, videoTask } from './media.js'
import { type Requested, requestOf } from './request.js'
import { createSignedInUser } from './signed-in-user.js'
import { taskRoutes } from './tasks.js'

export default function create({ services }: Kit<'identity' | 'ledger' | 'tasks'>): Endpoint {
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

  function relay(requested: (request: Requested) => Relayed): EndpointRoute {
    return {
      kind: 'relay',
      caller,
      receive: ({ payload, credential = nobody }) => ({
        format: 'chat',
        credential,
        ...requested(requestOf(payload)),
      }),
    }
  }

  return {
    routes: {
      create: relay((request) => ({ operation: 'chat', ...request })),
      images: relay(imagesRequest),
      video: relay(videoTask),
      music: relay(musicTask),
      midjourney: relay(midjourneyTask),
      ...taskRoutes(services.tasks, signedIn),
    },
  }
}

type Relayed = Omit<RelayRequest, 'format' | 'credential'>

const nobody: Credential = { kind: 'none' }

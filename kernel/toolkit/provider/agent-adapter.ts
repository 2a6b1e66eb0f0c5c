/**
 * Chat with an agent: an app somebody built at a service, called as if it were a model. Its model, its tools and the shape
 * of its answers are its maker's choice, so none of them is expressed. It always streams. Files go by their address, and where the
 * adapter uploads them before the call (`prepare`) as bytes too.
 */
import type { Call } from '../../contract/call.js'
import type { OwnFormAdapter } from '../../contract/provider.js'
import { partsOf } from '../format/unsupported-fields.js'
import { limits } from '../limits/limits.js'
import { upstreamUrl } from './address.js'
import { bearerRequest } from './bearer-request.js'

export type AgentOptions = Pick<
  OwnFormAdapter,
  'serves' | 'expresses' | 'ownFields' | 'encode' | 'prepare' | 'read' | 'fail'
> & {
  /** Where the service takes a message, under the channel's base URL. */
  readonly path: string
  /** Fields of the call that are changed on the way without harm. Absent: none. */
  readonly changed?: (call: Call) => readonly string[]
}

export function agentAdapter({ path, changed, ...verbs }: AgentOptions): OwnFormAdapter {
  const bytesMax = verbs.prepare === undefined ? 0 : limits.prepareCallsMax
  return {
    ...verbs,
    format: 'own',
    // An error may come whole, in the place of a stream.
    streamTypes: ['application/json'],
    address: (_wire, { baseUrl }, credentials, context) =>
      bearerRequest(upstreamUrl(baseUrl, path), credentials, context, {
        accept: 'text/event-stream',
      }),
    unsupportedFields: (call) => ({
      refuse: holdsUnsendable(call, bytesMax) ? ['media'] : [],
      report: changed?.(call) ?? [],
    }),
  }
}

/** Files another service keeps, and more of them as bytes than are uploaded for one call. */
function holdsUnsendable({ turns }: Call, bytesMax: number): boolean {
  let uploads = 0
  for (const part of partsOf(turns)) {
    if (part.kind !== 'media' || 'url' in part.source) continue
    if ('id' in part.source) return true
    uploads += 1
  }
  return uploads > bytesMax
}

/**
 * Chat with an agent: an app somebody built at a service, called as if it were a model. Its model, its tools and the shape
 * of its answers are its maker's choice, so none of them is expressed. It always streams, and takes files by their address
 * only, since bytes would have to be uploaded first.
 */
import type { Call } from '../../contract/call.js'
import type { OwnFormAdapter } from '../../contract/provider.js'
import { somePart } from '../format/unsupported-fields.js'
import { upstreamUrl } from './address.js'
import { bearerRequest } from './bearer-request.js'

export type AgentOptions = Pick<
  OwnFormAdapter,
  'expresses' | 'ownFields' | 'encode' | 'read' | 'fail'
> & {
  /** Where the service takes a message, under the channel's base URL. */
  readonly path: string
  /** Fields of the call that are changed on the way without harm. Absent: none. */
  readonly changed?: (call: Call) => readonly string[]
}

export function agentAdapter({ path, changed, ...verbs }: AgentOptions): OwnFormAdapter {
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
      refuse: holdsBytes(call) ? ['media'] : [],
      report: changed?.(call) ?? [],
    }),
  }
}

const holdsBytes = somePart((part) => part.kind === 'media' && !('url' in part.source))

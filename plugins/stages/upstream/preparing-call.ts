/** One of the calls that go before the operation's own, and its whole answer as a provider may see it. */
import type { Reserved } from '../../../kernel/contract/line/record.js'
import type { WholeAnswer } from '../../../kernel/contract/operation.js'
import type { UpstreamRequest } from '../../../kernel/contract/provider.js'
import type { Cancel, EgressReply } from '../../../kernel/contract/services/egress.js'
import { readAll } from '../../../kernel/toolkit/body/index.js'
import { maskedBody, Refusal, secretsOfCall } from '../../../kernel/toolkit/errors/index.js'
import { holdsTooMuch } from '../../../kernel/toolkit/json/index.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import { mayCall, outgoing, type UpstreamKit } from './exchange.js'

/** Rejects with an `EgressError` where nothing comes back. Once cancelled it may never settle. */
export async function preparingCall(
  { method, url, headers, body }: UpstreamRequest,
  state: Reserved,
  { services }: UpstreamKit,
  cancel: Cancel,
): Promise<WholeAnswer> {
  if (!mayCall(url, state, services)) throw new Refusal('channel:address_refused')
  const { egress, credentials, system } = services
  const { relayTimeoutMs, streamingTimeoutMs } = system.environment
  const reply = await egress.open({
    ...{ method, url, headers: withOperators(state, headers), body, cancel },
    ...{ namedBy: 'admin', proxy: state.channel.proxy },
    headersTimeoutMs: relayTimeoutMs || limits.headersMs,
    idleTimeoutMs: streamingTimeoutMs,
  })
  cancel.abort = () => reply.body.abort()
  if (reply.status === 401 || reply.status === 403) credentials.forget(state.channel, state.key)
  return shown(state, reply, await readAll(reply.body, limits.errorBodyBytesMax, state.room))
}

/** As of the errors of the operation's own call: without the key, and empty where it is too long to be read at once. */
function shown(state: Reserved, { status, headers }: EgressReply, bytes: Buffer): WholeAnswer {
  const reported = holdsTooMuch(bytes) ? Buffer.alloc(0) : bytes
  const isRefusal = status < 200 || status > 299
  const body = isRefusal ? maskedBody(reported, ...secretsOfCall(state)) : reported
  return { status, headers, body }
}

/** The operator's headers over those of the provider; the type of a body, e.g. the boundary of a form, is its author's. */
function withOperators(
  state: Reserved,
  headers: UpstreamRequest['headers'],
): UpstreamRequest['headers'] {
  const type = headers['content-type']
  const merged = outgoing(state, headers)
  return type === undefined ? merged : { ...merged, 'content-type': type }
}

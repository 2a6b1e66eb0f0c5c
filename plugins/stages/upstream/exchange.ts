/** One call of the request to its upstream: what it is sent, up to the status and the headers of what comes back. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Reserved } from '../../../kernel/contract/line/record.js'
import type { RecordedRequest, Recording } from '../../../kernel/contract/line/recording.js'
import type { AddressContext, Credentials } from '../../../kernel/contract/provider.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import type {
  Cancel,
  Egress,
  EgressReply,
  EgressRequest,
} from '../../../kernel/contract/services/egress.js'
import { bytesOf, formBytes, readHead } from '../../../kernel/toolkit/body/index.js'
import {
  EgressError,
  failureOf,
  maskedBody,
  PluginFault,
  Refusal,
  secretsOfCall,
} from '../../../kernel/toolkit/errors/index.js'
import { holdsTooMuch, inTurns, largeJson } from '../../../kernel/toolkit/json/index.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import { mayReach } from '../../../kernel/toolkit/service/index.js'
import { isTask, markTry, upstreamIdIn } from '../../../kernel/toolkit/stage/index.js'
import { brokenReply, FailureError } from './failure-error.js'

export type UpstreamKit = Kit<
  'egress' | 'disconnects' | 'system' | 'credentials' | 'providers' | 'options' | 'tasks'
>

export interface Caller {
  readonly kit: UpstreamKit
  readonly credentials: Credentials
  /** Nobody waits for it any more. */
  isOver(): boolean
}

/** Rejects with a `FailureError` for a refusal. A token that was exchanged may end early: it is renewed, and sent once more. */
export async function exchange(
  state: Reserved,
  caller: Caller,
  cancel: Cancel,
): Promise<EgressReply> {
  const reply = await sent(state, caller, cancel)
  if (isAccepted(reply)) return reply
  const credentials = await renewed(state, caller, reply)
  if (credentials === undefined) throw await refusedBy(state, reply)
  reply.body.abort()
  const again = await sent(state, { ...caller, credentials }, cancel)
  if (isAccepted(again)) return again
  if (isUnauthorized(again)) caller.kit.services.credentials.forget(state.channel, state.key)
  throw await refusedBy(state, again)
}

/** Undefined: the key is refused itself, or there is nothing newer to send. */
async function renewed(
  { channel, key }: Reserved,
  { kit, credentials: { token } }: Caller,
  reply: EgressReply,
): Promise<Credentials | undefined> {
  if (!isUnauthorized(reply)) return undefined
  const { credentials } = kit.services
  credentials.forget(channel, key)
  if (token === undefined || reply.status !== 401) return undefined
  const found = await credentials.of(channel, key)
  return 'failure' in found || found.token === token ? undefined : found
}

function isAccepted({ status }: EgressReply): boolean {
  return status >= 200 && status <= 299
}

function isUnauthorized({ status }: EgressReply): boolean {
  return status === 401 || status === 403
}

async function sent(
  state: Reserved,
  { kit, credentials, isOver }: Caller,
  cancel: Cancel,
): Promise<EgressReply> {
  if (isOver()) throw brokenReply('upstream_broke_off')
  const { environment } = kit.services.system
  const { adapter, wire, channel } = state
  const { method, url, headers, body } = addressed(state, kit, (context) =>
    adapter.address(wire, channel, credentials, context),
  )
  if (isTask(state)) {
    await kit.services.tasks.line.sending(state)
    if (isOver()) throw brokenReply('upstream_broke_off')
  }
  const form = wire.kind === 'form' && body === undefined ? formBytes(wire) : undefined
  const large = body === undefined ? largeObject(state) : undefined
  const written = large && (await inTurns(largeJson(large)))
  if (written !== undefined && isOver()) throw brokenReply('upstream_broke_off')
  const request = {
    method,
    url,
    headers: outgoing(
      state,
      form === undefined ? headers : { ...headers, 'content-type': form.type },
    ),
    body: form?.bytes ?? body ?? written ?? serialised(state),
    namedBy: 'admin' as const,
    headersTimeoutMs: environment.relayTimeoutMs || limits.headersMs,
    idleTimeoutMs: environment.streamingTimeoutMs,
    cancel,
    proxy: channel.proxy,
  }
  const { egress } = kit.services
  const reply =
    state.recording === undefined
      ? await egress.open(request)
      : await recorded(state, state.recording, { ...request, isForm: form !== undefined }, egress)
  cancel.abort = () => reply.body.abort()
  markReply(state, reply, kit.clock.now())
  if (isOver()) {
    reply.body.abort()
    throw brokenReply('upstream_broke_off')
  }
  return reply
}

function markReply({ times, number, receivedAt }: Reserved, { sentAt }: EgressReply, now: number) {
  if (sentAt !== undefined) markTry(times, number, 2, sentAt - receivedAt)
  markTry(times, number, 3, now - receivedAt)
}

async function recorded(
  state: Reserved,
  recording: Recording,
  request: EgressRequest & RecordedRequest,
  egress: Egress,
): Promise<EgressReply> {
  const call = recording.sent(state, request, secretsOfCall(state))
  try {
    return call.replied(await egress.open(request))
  } catch (error) {
    call.failed(error instanceof EgressError ? error.failure.message : 'The call failed.')
    throw error
  }
}

/** What a provider learns of the call beside its body. */
export function contextOf(state: Reserved, { clock }: UpstreamKit): AddressContext {
  const { upstreamModel: model, stream, requestId } = state
  const client = state.format.name
  const forwarded = { headers: state.verbatim ? forwardable(state) : {} }
  return { now: clock.now(), forwarded, model, stream, requestId, client }
}

export function addressed<Request extends { readonly url: string }>(
  state: Reserved,
  kit: UpstreamKit,
  make: (context: AddressContext) => Request,
): Request {
  const { services } = kit
  const request = make(contextOf(state, kit))
  if (mayCall(request.url, state, services)) return request
  throw new FailureError(failureOf(new Refusal('channel:address_refused')))
}

/** Whether the call leads to the channel's address or a host of the manifest, and nowhere else. */
export function mayCall(
  url: string,
  { channel, adapter }: Pick<Reserved, 'channel' | 'adapter'>,
  { providers }: UpstreamKit['services'],
): boolean {
  const hosts = providers.hosts(channel.type, adapter.issuer)
  return mayReach(url, channel.baseUrl, hosts, channel.settings)
}

/** What has to be written anew and is too much for one go; a client's body is what makes it so. */
function largeObject({ wire, body }: Reserved): JsonObject | undefined {
  if (body.kind !== 'json' || (body.bytes?.length ?? 0) <= limits.jsonAtOnceBytesMax) return
  if (wire.kind !== 'json' || wire.bytes !== undefined || wire.original !== undefined) return
  return wire.value
}

/** The client's own bytes where nothing was changed. What cannot be written as JSON was made by the adapter. */
function serialised({ wire, adapter }: Reserved): Buffer | string | undefined {
  if (wire.kind !== 'json') return undefined
  try {
    return bytesOf(wire)
  } catch (error) {
    const verb = adapter.encode ? 'encode' : adapter.shape ? 'shape' : 'adjust'
    throw new PluginFault(adapter.issuer ?? '', verb, error)
  }
}

/** Client headers reach an upstream only by the adapter's allow-list, and only where both speak one format (S13). */
function forwardable({ adapter, client }: Reserved): Record<string, string | undefined> {
  const headers: Record<string, string | undefined> = {}
  for (const name of adapter.forwards ?? []) {
    const value = client.headers[name]
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return headers
}

async function refusedBy(state: Reserved, reply: EgressReply): Promise<FailureError> {
  const head = await readHead(reply.body, limits.errorBodyBytesMax)
  // A status is enough where the text is too long to be read at once.
  const reported = holdsTooMuch(head) ? Buffer.alloc(0) : head
  const body = maskedBody(reported, ...secretsOfCall(state))
  const failure = state.adapter.fail(reply.status, reply.headers, body)
  const id = upstreamIdIn(reply.headers)
  return new FailureError(id === undefined ? failure : { ...failure, upstreamRequestId: id })
}

/** The operator's headers over those of the provider; the signature was made without them. */
export function outgoing(
  { headers: set }: Reserved,
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (set === undefined) return headers
  const merged: Record<string, string> = { ...headers }
  for (const name in set) {
    const value = set[name]
    if (typeof value === 'string') merged[name] = value
    else delete merged[name]
  }
  return merged
}

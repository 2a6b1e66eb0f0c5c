/**
 * The call to the upstream, until its first content is certain: address, time limits, a client that leaves, errors as
 * values. What comes back has not touched the client yet, so a failure here may still move to the next channel.
 */
import type { Added, Body, Opened, Reserved, Stages } from '../../../kernel/contract/exchange.js'
import type { Failure } from '../../../kernel/contract/failure.js'
import type { Kit } from '../../../kernel/contract/kit.js'
import type { UpstreamRequest } from '../../../kernel/contract/provider.js'
import type { Cancel, EgressReply } from '../../../kernel/contract/service.js'
import { readHead } from '../../../kernel/egress/egress.js'
import { Refusal } from '../../../kernel/errors.js'
import { limits } from '../../../kernel/limits.js'
import { failureOf, mayRetry } from '../../../kernel/pipeline/outcome.js'
import { openBody } from './body.js'
import { brokenReply, FailureError, failureFrom, timeout } from './failure-error.js'
import { openStream } from './stream.js'
import { Verdict } from './verdict.js'

type Opening = Added<Opened, Reserved>
type UpstreamKit = Kit<'formats' | 'egress' | 'departures' | 'system'>

export default function create(kit: UpstreamKit): Stages['upstream'] {
  return {
    async run(state) {
      const cancel: Cancel = {}
      const verdict = new Verdict<Opening>(() => cancel.abort?.())
      const watch = kit.services.departures.watch({
        sink: state.sink,
        policy: state.channel.onClientGone,
        end: (reason) => verdict.fail(endedBy(reason)),
      })
      const cancelTotal = totalLimit(kit, verdict)
      call(state, kit, cancel, verdict).then(
        (opened) => verdict.pass(opened),
        (error) => verdict.fail(failureFrom(error)),
      )
      try {
        return await verdict.reached
      } catch (error) {
        const failure = failureFrom(error)
        if (failure.code === 'internal_error') kit.log.error({ err: error }, 'upstream call failed')
        return { failure, retry: mayRetry(failure) }
      } finally {
        watch.release()
        cancelTotal()
      }
    },
  }
}

async function call(
  state: Reserved,
  kit: UpstreamKit,
  cancel: Cancel,
  verdict: Verdict<Opening>,
): Promise<Opening> {
  const { environment } = kit.services.system
  const { method, url, headers, body } = addressed(state, kit.clock.now())
  const reply = await kit.services.egress.open({
    method,
    url,
    headers,
    body: body ?? serialised(state.wire),
    namedBy: 'admin',
    headersTimeoutMs: environment.relayTimeoutMs || limits.headersMs,
    idleTimeoutMs: environment.streamingTimeoutMs,
    cancel,
  })
  cancel.abort = () => reply.body.abort()
  if (verdict.over) {
    reply.body.abort()
    throw brokenReply('upstream_broke_off')
  }
  if (reply.status < 200 || reply.status > 299) throw await refusedBy(state, reply)
  const streams = (reply.headers['content-type'] ?? '').startsWith('text/event-stream')
  const opened = streams ? await openStream(state, reply, kit.clock) : await openBody(state, reply)
  return { reply: opened, firstMs: kit.clock.now() - state.receivedAt }
}

function addressed(state: Reserved, now: number): UpstreamRequest {
  const { adapter, wire, channel, key, upstreamModel, stream } = state
  const forwarded = { headers: state.verbatim ? forwardable(state) : {} }
  const context = { now, forwarded, model: upstreamModel, stream }
  return adapter.address(wire, channel, { key }, context)
}

/** The client's own bytes where nothing was changed. */
function serialised(wire: Body): Buffer | string | undefined {
  return wire.kind === 'json' ? (wire.bytes ?? JSON.stringify(wire.value)) : undefined
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

async function refusedBy({ adapter }: Reserved, reply: EgressReply): Promise<FailureError> {
  const head = await readHead(reply.body, limits.errorBodyBytesMax)
  return new FailureError(adapter.fail(reply.status, reply.headers, head))
}

function totalLimit({ services, clock }: UpstreamKit, verdict: Verdict<Opening>): () => void {
  const { relayTimeoutMs } = services.system.environment
  if (relayTimeoutMs === 0) return () => {}
  return clock.after(relayTimeoutMs, () => verdict.fail(timeout('total time').failure))
}

function endedBy(reason: 'clientGone' | 'stopping'): Failure {
  return failureOf(new Refusal(reason === 'stopping' ? 'shutting_down' : 'client_gone'))
}

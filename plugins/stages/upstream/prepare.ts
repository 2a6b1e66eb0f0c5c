/** What has to be at the upstream before the call, e.g. files that are uploaded (`Adapter.prepare`). */
import type { Reserved } from '../../../kernel/contract/line/record.js'
import type { WholeAnswer } from '../../../kernel/contract/operation.js'
import type { UpstreamRequest } from '../../../kernel/contract/provider.js'
import type { Cancel } from '../../../kernel/contract/services/egress.js'
import { readAll } from '../../../kernel/toolkit/body/index.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import { allowed, type Caller } from './exchange.js'
import { brokenReply, FailureError } from './failure-error.js'

export async function prepared(
  state: Reserved,
  { kit, credentials, isOver }: Caller,
  cancel: Cancel,
): Promise<Reserved> {
  const { adapter, channel, wire, upstreamModel: model } = state
  const { egress, system } = kit.services
  const silenceMs = system.environment.streamingTimeoutMs

  async function fetch({ method, url, headers, body }: UpstreamRequest): Promise<WholeAnswer> {
    allowed(url, state, kit.services)
    const own: Cancel = {}
    running.add(own)
    try {
      const reply = await egress.open({
        ...{ method, url, headers, body, namedBy: 'admin', proxy: channel.proxy, cancel: own },
        ...{ headersTimeoutMs: silenceMs, idleTimeoutMs: silenceMs },
      })
      own.abort = () => reply.body.abort()
      if (isOver()) own.abort()
      const bytes = await readAll(reply.body, limits.errorBodyBytesMax, state.room)
      return { status: reply.status, headers: reply.headers, body: bytes }
    } finally {
      running.delete(own)
    }
  }

  const running = new Set<Cancel>()
  cancel.abort = () => abortAll(running)
  const result = await adapter.prepare!(wire, channel, credentials, {
    ...{ now: kit.clock.now(), model, fetch },
  })
  if ('failure' in result) throw new FailureError(result.failure)
  if (isOver()) throw brokenReply('upstream_broke_off')
  return { ...state, wire: result }
}

export function abortAll(running: Iterable<Cancel>): void {
  for (const { abort } of running) abort?.()
}

/** One call of a question: within the channel's hosts, through its proxy, whole within its time and size or not at all. */

import type { Clock } from '../../../../kernel/contract/kit.js'
import type { Channel } from '../../../../kernel/contract/line/channel.js'
import type { WholeAnswer } from '../../../../kernel/contract/operation.js'
import type { UpstreamRequest } from '../../../../kernel/contract/provider.js'
import type { Cancel, Egress } from '../../../../kernel/contract/services/egress.js'
import type { Providers } from '../../../../kernel/contract/services/providers.js'
import { readAll } from '../../../../kernel/toolkit/body/index.js'
import { Refusal } from '../../../../kernel/toolkit/errors/index.js'
import { mayReach } from '../../../../kernel/toolkit/service/index.js'

/** From the call to the last byte of its answer. */
const wholeMs = 15_000
const answerBytesMax = 4 * 1024 * 1024

export interface CallDependencies {
  readonly egress: Egress
  readonly providers: Pick<Providers, 'hosts'>
  readonly clock: Clock
}

/** Rejects with a `Refusal` or an `EgressError`. */
export async function wholeAnswer(
  channel: Channel,
  request: UpstreamRequest,
  { egress, providers, clock }: CallDependencies,
): Promise<WholeAnswer> {
  if (!mayReach(request.url, channel.baseUrl, providers.hosts(channel.type), channel.settings)) {
    throw new Refusal('channel:address_refused')
  }
  const cancel: Cancel = {}
  let stop = () => cancel.abort?.()
  const answered = async (): Promise<WholeAnswer> => {
    const reply = await egress.open({
      ...request,
      namedBy: 'admin',
      headersTimeoutMs: wholeMs,
      idleTimeoutMs: wholeMs,
      cancel,
      ...(channel.proxy !== undefined && { proxy: channel.proxy }),
    })
    stop = () => reply.body.abort()
    const body = await readAll(reply.body, answerBytesMax)
    return { status: reply.status, headers: reply.headers, body }
  }
  return withinTime(answered(), clock, () => stop())
}

/** An answer that trickles is as good as none. */
function withinTime<T>(work: Promise<T>, clock: Clock, stop: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const forget = clock.after(wholeMs, () => {
      reject(new Refusal('upstream_timeout', { limit: `${wholeMs / 1000} s for all of it` }))
      stop()
    })
    work.then(resolve, reject).finally(forget)
  })
}

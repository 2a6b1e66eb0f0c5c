/**
 * Counts at the upstream: the caller's route leads to a channel that can count, and the request goes down the line to it without
 * money. A channel whose upstream knows no such path is not asked again for a while.
 */
import type { Failure } from '../../../kernel/contract/failure.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import type { ProbeResult } from '../../../kernel/contract/services/probe.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { parsedObject } from '../../../kernel/toolkit/operation/index.js'
import type { Picking } from '../routing/index.js'
import type { ThrottledCaller } from '../throttle/index.js'
import type { CountRequest, TokenCounts } from './token-counts.js'

export type * from './token-counts.js'

/** A client counts before it sends: an estimate at once is of more use to it than an exact count later. */
const waitMs = 10_000
/** A channel that could not count is not asked again for so long, and one that was too slow. */
const restMs = 600_000
const slowRestMs = 60_000
const restingMax = 10_000
/** Statuses of a service that has no such path. */
const unknownPath: ReadonlySet<number> = new Set([404, 405, 410, 501])

export default function create({
  services,
  settings,
  clock,
}: Kit<'probe' | 'routing' | 'throttle'>): TokenCounts {
  const { probe, routing, throttle } = services
  const resting = new Map<number, number>()

  return {
    async count(request) {
      checkModel(request)
      const picking = settings.boolean('countUpstream') ? pick(request) : undefined
      if (picking === undefined) return undefined
      try {
        if (isResting(picking)) return undefined
        await throttle.admit(callerOf(request))
        return await within(counted(request, picking), () => rest(picking.channel.id, slowRestMs))
      } finally {
        picking.claim.ended(neutral)
      }
    },
  }

  function pick({ caller, format, model }: CountRequest): Picking | undefined {
    const { user, token, pinned } = caller
    const route = routing.plan({ user, token }, { pinned })
    return routing.pick({ route, model, operation: 'count', format: { name: format }, tried: [] })
  }

  async function counted(
    { client, format, body, hints }: CountRequest,
    { channel: picked, keyId }: Picking,
  ): Promise<JsonObject | undefined> {
    const key = picked.keys.find(({ id }) => id === keyId)
    if (key === undefined) return undefined
    const result = await probe.run({
      ...{ channel: picked, key, operation: 'count', format, hints, client },
      body: { kind: 'json', value: body },
    })
    if (unknownPath.has(result.failure?.status ?? 0)) rest(picked.id, restMs)
    if (result.failure?.code === 'upstream_timeout') rest(picked.id, slowRestMs)
    return countIn(result)
  }

  function isResting({ channel }: Picking): boolean {
    return clock.monotonic() < (resting.get(channel.id) ?? 0)
  }

  function rest(channelId: number, ms: number): void {
    if (resting.size >= restingMax) resting.clear()
    resting.set(channelId, clock.monotonic() + ms)
  }

  /** What comes later than that is dropped. */
  function within(
    counting: Promise<JsonObject | undefined>,
    late: () => void,
  ): Promise<JsonObject | undefined> {
    return new Promise((resolve, reject) => {
      const cancel = clock.after(waitMs, () => {
        late()
        resolve(undefined)
      })
      counting.then(resolve, reject).finally(cancel)
    })
  }
}

/** A channel that counts well may fail at all else, and the other way round: nothing is noted of either. */
const neutral: Failure = {
  ...{ blame: 'client', status: 0, code: 'client_gone' },
  message: 'A count of tokens is no sign of health.',
}

function callerOf({ caller: { user, token } }: CountRequest): ThrottledCaller {
  return { userId: user.id, userGroup: user.group, tokenId: token.id }
}

function countIn({ failure, head }: ProbeResult): JsonObject | undefined {
  return failure === undefined ? parsedObject(head) : undefined
}

function checkModel({ caller: { token }, model }: CountRequest): void {
  if (token.models === undefined || token.models.has(model)) return
  throw new Refusal('model_not_allowed', { model, param: 'model' })
}

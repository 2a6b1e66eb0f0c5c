/**
 * Where the request may go and at which prices: body checked in its own format, model allowed for the token, groups
 * in order, price table pinned, the hold made ready. Nothing is reserved yet (ROUTE-1, ROUTE-18).
 */

import type { KeyUse } from '../../../kernel/contract/line/key-use.js'
import type { Token } from '../../../kernel/contract/line/people.js'
import type { Admitted, Planned } from '../../../kernel/contract/line/record.js'
import type { Added, Stages } from '../../../kernel/contract/line/stages.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { HoldRequest } from '../../services/ledger/index.js'
import type { ThrottledCaller } from '../../services/throttle/index.js'
import { checkClientAddress } from './client-address.js'

type RoutePlanKit = Kit<
  | 'routing'
  | 'affinity'
  | 'throttle'
  | 'key-limits'
  | 'pricing'
  | 'ledger'
  | 'subscriptions'
  | 'answers'
  | 'tasks'
>

export default function create({ services }: RoutePlanKit): Stages['route-plan'] {
  const { routing, affinity, throttle, pricing, ledger, subscriptions, answers, tasks } = services
  const limits = services['key-limits']
  return {
    run(state) {
      if (state.token?.limits !== undefined) return planLimited(state, state.token)
      return planned(state, throttle.admit(callerOf(state)), undefined)
    },
  }

  /** The key's own limit first: what is refused there counts for nobody else. */
  async function planLimited(state: Admitted, token: Token): Promise<Added<Planned, Admitted>> {
    const keyUse = await limits.admit(token, state.format.name)
    return planned(state, throttle.admit(callerOf(state)), keyUse)
  }

  function planned(
    state: Admitted,
    admitted: Promise<void> | undefined,
    keyUse: KeyUse | undefined,
  ): Added<Planned, Admitted> | Promise<Added<Planned, Admitted>> {
    if (state.work?.task === true) return planTask(state, admitted, keyUse)
    const gathered = gather(state)
    if (admitted === undefined && gathered === undefined) return plan(state, keyUse)
    return Promise.all([admitted, gathered]).then(() => plan(state, keyUse))
  }

  /** What the request names of earlier answers, where another process gave them. */
  function gather({ format, body, user }: Admitted): Promise<void> | undefined {
    return body.kind === 'json' ? answers.gather(format, body.value, user.id) : undefined
  }

  /** A task that goes on from another is submitted where that one was. */
  async function planTask(
    state: Admitted,
    admitted: Promise<void> | undefined,
    keyUse: KeyUse | undefined,
  ): Promise<Added<Planned, Admitted>> {
    await admitted
    checkClientAddress(state.task)
    const { originId, originUnfinished: unfinished } = state.task ?? {}
    const made = plan(state, keyUse)
    const callbackUrl = tasks.line.callbackUrl(state.requestId)
    if (originId === undefined) return { ...made, taskContext: { callbackUrl } }
    const origin = await tasks.line.origin(state.user.id, originId, { unfinished })
    const { channelId: pinned, keyId: pinnedKey } = origin
    const route = { ...made.route, crossGroup: false, pinned, pinnedKey }
    return { ...made, route, taskContext: { callbackUrl, origin } }
  }

  function plan(state: Admitted, keyUse: KeyUse | undefined): Added<Planned, Admitted> {
    const { body, format, work, hints, user, token, pinned } = state
    const json = body.kind === 'json' ? body.value : {}
    const { model, stream, wantsUsage } = work?.check(body, hints) ?? format.check(json, hints)
    if (token?.models !== undefined && !token.models.has(model)) {
      throw new Refusal('model_not_allowed', { model, param: 'model' })
    }
    return {
      model,
      stream,
      wantsUsage,
      call: once(() => format.decodeRequest(json, hints, (id) => answers.recall(user.id, id))),
      route: routing.plan({ user, token }, { requested: state.requestedGroup, pinned }),
      affinity: affinity.match({
        userId: user.id,
        userGroup: user.group,
        model,
        path: state.path,
        headers: state.client.headers,
        body: body.kind === 'json' ? body.value : undefined,
      }),
      prices: pricing.current(),
      keyUse,
      hold: ledger.hold({
        requestId: state.requestId,
        kind: holdKind(state),
        userId: user.id,
        tokenId: token?.id,
        accountId: user.walletId,
        sources: subscriptions.sources(user),
      }),
    }
  }
}

function callerOf({ user, token }: Admitted): ThrottledCaller {
  return { userId: user.id, userGroup: user.group, tokenId: token?.id }
}

function holdKind({ operation, work, token }: Admitted): HoldRequest['kind'] {
  if (work?.task === true) return 'task'
  if (operation === 'realtime' || operation === 'search') return operation
  return token === undefined ? 'playground' : 'sync'
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

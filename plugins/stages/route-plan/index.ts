/**
 * Where the request may go and at which prices: body checked in its own format, model allowed for the token, groups
 * in order, price table pinned, the hold made ready. Nothing is reserved yet (ROUTE-1, ROUTE-18).
 */

import type { Admitted, Planned } from '../../../kernel/contract/line/record.js'
import type { Added, Stages } from '../../../kernel/contract/line/stages.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { HoldRequest } from '../../services/ledger/index.js'
import type { ThrottledCaller } from '../../services/throttle/index.js'

type RoutePlanKit = Kit<
  'routing' | 'affinity' | 'throttle' | 'pricing' | 'ledger' | 'subscriptions' | 'answers'
>

export default function create({ services }: RoutePlanKit): Stages['route-plan'] {
  const { routing, affinity, throttle, pricing, ledger, subscriptions, answers } = services
  return {
    run(state) {
      const admitted = throttle.admit(callerOf(state))
      return admitted === undefined ? plan(state) : admitted.then(() => plan(state))
    },
  }

  function plan(state: Admitted): Added<Planned, Admitted> {
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

function holdKind({ operation, token }: Admitted): HoldRequest['kind'] {
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

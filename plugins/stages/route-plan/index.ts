/**
 * Where the request may go and at which prices: body checked in its own format, model allowed for the token, groups
 * in order, price table pinned, the hold made ready. Nothing is reserved yet (ROUTE-1, ROUTE-18).
 */
import type { Admitted, Stages } from '../../../kernel/contract/exchange.js'
import type { Kit } from '../../../kernel/contract/kit.js'
import { Refusal } from '../../../kernel/errors.js'
import type { HoldTerms } from '../../services/ledger/index.js'

export default function create({
  services,
}: Kit<'routing' | 'pricing' | 'ledger' | 'answers'>): Stages['route-plan'] {
  const { routing, pricing, ledger, answers } = services
  return {
    run(state) {
      const { body, format, work, said, user, token } = state
      const json = body.kind === 'json' ? body.value : {}
      const { model, stream, wantsUsage } = work?.check(body, said) ?? format.check(json, said)
      if (token?.models !== undefined && !token.models.has(model)) {
        throw new Refusal('model_not_allowed', { model, param: 'model' })
      }
      return {
        model,
        stream,
        wantsUsage,
        call: once(() => format.decodeRequest(json, said, (id) => answers.recall(user.id, id))),
        route: routing.plan(user, token, state.askedGroup),
        prices: pricing.current(),
        hold: ledger.hold({
          requestId: state.requestId,
          kind: holdKind(state),
          userId: user.id,
          tokenId: token?.id,
          accountId: user.walletId,
        }),
      }
    },
  }
}

function holdKind({ operation, token }: Admitted): HoldTerms['kind'] {
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

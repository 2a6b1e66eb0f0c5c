/**
 * Sets aside what the request may cost before anything is relayed (BILL-1). A dearer group on a retry raises the same
 * hold, a cheaper one leaves it; a model without a price is refused (M15, M17).
 */
import type { Usage } from '../../../kernel/contract/event.js'
import type { Settings } from '../../../kernel/contract/kit.js'
import type { CoverVerdict, LogDraft, Price } from '../../../kernel/contract/line/money.js'
import type { Overridden } from '../../../kernel/contract/line/record.js'
import type { Stages } from '../../../kernel/contract/line/stages.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { refused } from '../../../kernel/toolkit/errors/index.js'
import { isFolded, isTask } from '../../../kernel/toolkit/stage/index.js'
import type { Identity } from '../../services/identity/index.js'

/** No hold is made for more output than this per answer; a longer one is covered as it is written. */
const holdOutputTokensMax = 32_768

const refusals = {
  short: 'insufficient_user_quota',
  shortToken: 'pre_consume_token_quota_failed',
  shortBudget: 'pre_consume_token_quota_failed',
  gone: 'token_disabled',
} as const satisfies Record<Exclude<CoverVerdict, 'ok'>, string>

export default function create({
  services,
  settings,
}: Kit<'identity' | 'tasks'>): Stages['pre-consume'] {
  return {
    async run(state) {
      const price = priceOf(state)
      if (price === undefined) {
        return refused('model_price_error', { model: state.model, param: 'model' }, true)
      }
      const draft = draftOf(state)
      const usage = atMost(state, settings)
      const quota = price.hold(usage)
      if (state.keyUse !== undefined) {
        const failure = await state.keyUse.begin(expected(state))
        if (failure !== undefined) return { failure, retry: false }
      }
      // The row of a task stands before its money does, so that no hold is without one.
      if (isTask(state)) await services.tasks.line.begin(state)
      const verdict = await state.hold.cover(quota, draft)
      if (verdict === 'ok') {
        const settleFirst = settings.boolean('settleBeforeAnswer')
        return { price, draft, heldOutput: usage.output ?? 0, settleFirst }
      }
      const reason = verdict === 'gone' ? await reasonOf(state, services.identity) : undefined
      const refusal =
        verdict === 'shortBudget' && state.keyUse !== undefined
          ? { failure: state.keyUse.overBudget(quota), retry: false }
          : refused(reason ?? refusals[verdict])
      if (isFolded(state)) {
        await services.tasks.line.refused(state.requestId, refusal.failure.message)
      }
      return refusal
    },
  }
}

/** Memory had not been notified yet that the key, or its owner, is gone; the answer is the one it gives from now on (AUTH-3). */
async function reasonOf({ token }: Overridden, identity: Identity) {
  return token === undefined ? undefined : identity.refusalOf(token.id).catch(() => undefined)
}

/** The requested name goes before the one it is mapped to, and of each what the operation is priced as (ROUTE-4). */
function priceOf(state: Overridden): Price | undefined {
  const { work, model, upstreamModel } = state
  if (work?.priceName === undefined) return priceUnder(state, model, upstreamModel)
  return (
    priceUnder(state, work.priceName(model), model) ??
    priceUnder(state, work.priceName(upstreamModel), upstreamModel)
  )
}

function priceUnder(
  { prices, group, user }: Overridden,
  requestedModel: string,
  upstreamModel: string,
): Price | undefined {
  return prices.price({ requestedModel, upstreamModel, group, userGroup: user.group })
}

function draftOf(state: Overridden): LogDraft {
  return {
    username: state.user.username,
    tokenName: state.token?.name ?? '',
    model: state.model,
    upstreamModel: state.upstreamModel,
    group: state.group,
    channelId: state.channel.id,
    channelName: state.channel.name,
    isStream: state.stream,
    address: state.client.address,
  }
}

function atMost({ limits, estimate }: Overridden, settings: Settings): Usage {
  const perChoice = limits.maxOutput ?? settings.number('holdOutputTokens')
  const output = Math.min(perChoice, holdOutputTokensMax) * (limits.choices ?? 1)
  return Object.assign({ output }, estimate)
}

/** What the limit of tokens counts at first: the prompt, and the output the client asked for. */
function expected({ limits, estimate }: Overridden): Usage {
  const output = Math.min(limits.maxOutput ?? 0, holdOutputTokensMax) * (limits.choices ?? 1)
  return { ...estimate, output }
}

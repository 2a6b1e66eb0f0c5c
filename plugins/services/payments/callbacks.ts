/** A callback from the bytes to the reply: verified by its gateway, settled, and acknowledged only then (PAY-3). */
import type { Clock, Log } from '../../../kernel/contract/kit.js'
import type {
  CallbackOutcome,
  CallbackReply,
  PaymentCallback,
  PaymentNotice,
} from '../../../kernel/contract/payment.js'
import { misfits } from './alerts.js'
import type { Gateways, LoadedGateway } from './gateways.js'
import type { CallbackOrigin } from './payments.js'
import type { Renew } from './renewals.js'
import type { Settle, Settled } from './settlement.js'
import type { Tallies } from './tallies.js'

export interface CallbackDependencies {
  readonly gateways: Gateways
  readonly settle: Settle
  readonly renew: Renew
  /** Whether a subscription is paid by what repeats. */
  readonly isKnown: (gateway: string, agreement: string) => Promise<boolean>
  readonly tallies: Tallies
  readonly clock: Clock
  readonly log: Log
}

/** How long an order, or what repeats, may yet come to be known: its transaction may end after the provider reports. */
export const unknownMs = 600_000

export type Receive = (
  gateway: string,
  callback: PaymentCallback,
  from: CallbackOrigin,
) => Promise<CallbackReply | undefined>

export function createReceive(dependencies: CallbackDependencies): Receive {
  const { gateways, settle, renew, isKnown, tallies, clock, log } = dependencies

  async function outcomeOf(
    { name: gateway, plugin }: LoadedGateway,
    callback: PaymentCallback,
    from: CallbackOrigin,
  ): Promise<CallbackOutcome> {
    const verdict = await plugin.verify!(callback)
    if (verdict.kind === 'forged') {
      log.warn({ gateway, reason: verdict.reason }, 'a payment callback is not genuine')
      tallies.note({ gateway, verdict: 'forged', reason: verdict.reason, address: from.address })
      return 'forged'
    }
    if (verdict.kind === 'ignored') {
      tallies.note({ gateway, verdict: 'ignored', reason: verdict.event, address: from.address })
      return 'accepted'
    }
    const { body } = callback
    const settled =
      verdict.kind === 'renewal'
        ? await renew({ gateway, renewal: verdict.renewal, from, body })
        : await settle({ gateway, notice: verdict.notice, from, body })
    const { event } = verdict.kind === 'renewal' ? verdict.renewal : verdict.notice
    const facts = { gateway, event, order: settled.orderNo, verdict: settled.verdict }
    if (!misfits.has(settled.verdict)) log.info(facts, 'a payment was reported')
    else {
      log.error(facts, 'a payment does not fit its order')
      if (verdict.kind === 'notice') await endMisfit(plugin, verdict.notice, facts)
    }
    return isEarly(settled, clock.now()) ? 'later' : 'accepted'
  }

  /** A first payment that fits no order began what repeats: nobody would be credited for what it collects. */
  async function endMisfit(
    plugin: LoadedGateway['plugin'],
    { agreement }: PaymentNotice,
    facts: { readonly gateway: string },
  ): Promise<void> {
    if (agreement === undefined || (await isKnown(facts.gateway, agreement))) return
    await plugin.unsubscribe?.(agreement).catch((err) => {
      log.error({ ...facts, err }, 'payments that repeat, and fit no order, could not be ended')
    })
  }

  return async (name, callback, from) => {
    const gateway = gateways.reporting(name)
    if (gateway === undefined || !takes(gateway, callback)) return undefined
    const outcome = await outcomeOf(gateway, callback, from).catch((err) => {
      log.error({ err, gateway: name }, 'a payment callback could not be dealt with')
      return 'later' as const
    })
    return gateway.plugin.reply?.(outcome)
  }
}

function takes({ plugin, manifest }: LoadedGateway, { method }: PaymentCallback): boolean {
  return plugin.verify !== undefined && manifest.payment?.callback.includes(method) === true
}

function isEarly({ verdict, firstAt }: Settled, now: number): boolean {
  if (verdict === 'early') return true
  return verdict === 'unknown_order' && now - firstAt.getTime() < unknownMs
}

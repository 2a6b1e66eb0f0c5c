/**
 * Payment gateways as the service `payments` calls them: one that cannot even say what it offers offers nothing, a callback it
 * stumbles over is to be sent again, and no reply contradicts what became of it (PAY-3).
 */
import { isObject } from '../contract/json.js'
import type { Log } from '../contract/kit.js'
import type { Manifest } from '../contract/manifest.js'
import type { CallbackOutcome, CallbackReply, PaymentGateway } from '../contract/payment.js'
import { faultFields, faultIn, PluginFault } from '../toolkit/errors/plugin-fault.js'
import {
  isCharge,
  isCheckout,
  isNotice,
  isOffer,
  isPage,
  isRefund,
  isVerdict,
} from './payment-shapes.js'

export function containedPayment(
  gateway: PaymentGateway,
  { id }: Manifest,
  log: Log,
): PaymentGateway {
  const { verify, reply, fetch, refund, subscribe, unsubscribe, portal, charge } = gateway

  /** What the verb returns where that fits; what it throws, and what does not fit, is a fault of the plugin. */
  async function held<Result>(
    verb: string,
    call: () => Result | Promise<Result>,
    fits: (result: unknown) => boolean,
  ): Promise<Result> {
    try {
      const result = await call()
      if (fits(result)) return result
    } catch (error) {
      throw faultIn(id, verb, error)
    }
    throw new PluginFault(id, verb, new Error('it returned something else than its contract says'))
  }

  return {
    offer() {
      try {
        const offer = gateway.offer()
        if (offer === undefined || isOffer(offer)) return offer
        throw new Error('it returned no offer')
      } catch (error) {
        log.error(faultFields(new PluginFault(id, 'offer', error)), 'a payment gateway failed')
        return undefined
      }
    },
    checkout: (order) => held('checkout', () => gateway.checkout(order), isCheckout),
    verify: verify && ((given) => held('verify', () => verify.call(gateway, given), isVerdict)),
    reply: (outcome) => {
      try {
        const sent = reply?.call(gateway, outcome)
        if (sent === undefined) return plain(outcome)
        if (isReply(sent, outcome)) return { ...plain(outcome), ...sent }
        throw new Error('its status contradicts the outcome')
      } catch (error) {
        log.error(faultFields(new PluginFault(id, 'reply', error)), 'a payment gateway failed')
        return plain(outcome)
      }
    },
    fetch:
      fetch &&
      ((order) =>
        held(
          'fetch',
          () => fetch.call(gateway, order),
          (notice) => notice === undefined || isNotice(notice),
        )),
    refund: refund && ((request) => held('refund', () => refund.call(gateway, request), isRefund)),
    subscribe:
      subscribe && ((order) => held('subscribe', () => subscribe.call(gateway, order), isCheckout)),
    unsubscribe:
      unsubscribe &&
      ((agreement) =>
        held(
          'unsubscribe',
          () => unsubscribe.call(gateway, agreement),
          () => true,
        )),
    portal: portal && ((request) => held('portal', () => portal.call(gateway, request), isPage)),
    charge: charge && ((order) => held('charge', () => charge.call(gateway, order), isCharge)),
  }
}

const statuses = { accepted: 200, later: 500, forged: 400 } as const

function plain(outcome: CallbackOutcome): CallbackReply {
  return { status: statuses[outcome], body: '' }
}

function isReply(reply: unknown, outcome: CallbackOutcome): reply is CallbackReply {
  if (!isObject(reply) || typeof reply.body !== 'string') return false
  const status = reply.status ?? statuses[outcome]
  return typeof status === 'number' && Math.floor(status / 100) * 100 === statuses[outcome]
}

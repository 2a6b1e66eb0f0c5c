/**
 * Payment gateways as the service `payments` calls them: one that cannot even say what it offers offers nothing, a callback it
 * stumbles over is to be sent again, and no reply contradicts what became of it (PAY-3). One that is set aside refuses in a
 * sentence: a callback is sent again, and what is not decided stays so.
 */
import { isObject } from '../contract/json.js'
import type { CallbackOutcome, CallbackReply, PaymentGateway } from '../contract/payment.js'
import { faultFields } from '../toolkit/errors/plugin-fault.js'
import { bounds } from './bounds.js'
import type { Health } from './health.js'
import {
  isCharge,
  isCheckout,
  isNotice,
  isOffer,
  isPage,
  isRefund,
  isVerdict,
} from './payment-shapes.js'
import { isText } from './provider-shapes.js'
import { contained, containedLater, faultOf, type IsSound, timeLimits } from './verb.js'

export function containedPayment(gateway: PaymentGateway, health: Health): PaymentGateway {
  const { verify, reply, fetch, refund, subscribe, unsubscribe, portal, charge } = gateway
  const offer = contained(health.tally('offer', 'reported'), () => gateway.offer(), isOfferOrNone)
  const replied =
    reply && contained(health.tally('reply', 'reported'), reply.bind(gateway), isBoundedReply)

  /**
   * What the verb returns where that fits; what it throws, and what does not fit, is a fault of the plugin. Whoever finds the
   * address of callbacks can make `verify` fail, so that its faults set nothing aside.
   */
  async function held<Result>(
    verb: string,
    call: () => Result | Promise<Result>,
    isSound: IsSound,
  ): Promise<Result> {
    health.assertServes(verb)
    const tally = health.tally(verb, verb === 'verify' ? 'reported' : 'counted')
    return containedLater({ tally, limitMs, isSound, mayReject: 'named' }, call)
  }

  return {
    offer() {
      try {
        return offer()
      } catch (error) {
        health.log.error(faultFields(error), 'a payment gateway failed')
        return undefined
      }
    },
    checkout: (order) => held('checkout', () => gateway.checkout(order), isCheckout),
    verify: verify && ((given) => held('verify', () => verify.call(gateway, given), isVerdict)),
    reply: (outcome) => {
      try {
        const sent = replied?.(outcome)
        if (sent === undefined) return plain(outcome)
        if (isOf(outcome, sent)) return { ...plain(outcome), ...sent }
        throw faultOf(
          health.tally('reply', 'reported'),
          new Error('its status contradicts the outcome'),
        )
      } catch (error) {
        health.log.error(faultFields(error), 'a payment gateway failed')
        return plain(outcome)
      }
    },
    fetch: fetch && ((order) => held('fetch', () => fetch.call(gateway, order), isNoticeOrNone)),
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

const limitMs = timeLimits.outgoing

function isOfferOrNone(offer: unknown): boolean {
  return offer === undefined || isOffer(offer)
}

function isNoticeOrNone(notice: unknown): boolean {
  return notice === undefined || isNotice(notice)
}

const statuses = { accepted: 200, later: 500, forged: 400 } as const

function plain(outcome: CallbackOutcome): CallbackReply {
  return { status: statuses[outcome], body: '' }
}

function isBoundedReply(reply: unknown): boolean {
  if (!isObject(reply) || !isText(reply.body, bounds.replyMax)) return false
  return reply.type === undefined || isText(reply.type, 255)
}

function isOf(outcome: CallbackOutcome, { status = statuses[outcome] }: CallbackReply): boolean {
  return typeof status === 'number' && Math.floor(status / 100) * 100 === statuses[outcome]
}

/**
 * OAuth providers and notifiers as services call them: one that cannot even say whether it is ready is not, and a fault of
 * one stays its own where several are called together. A delivery that throws is one to try again. What an OAuth provider
 * throws is for the caller to judge. One that is set aside is refused in a sentence.
 */
import { isObject } from '../contract/json.js'
import type { Manifest } from '../contract/manifest.js'
import type { Notifier } from '../contract/notifier.js'
import type { OAuthProvider } from '../contract/oauth.js'
import { faultFields } from '../toolkit/errors/plugin-fault.js'
import { bounds } from './bounds.js'
import type { Health } from './health.js'
import { isBoolean, isSentence, isText } from './provider-shapes.js'
import { contained, containedLater, timeLimits } from './verb.js'

const limitMs = timeLimits.outgoing

export function containedOAuth(provider: OAuthProvider, health: Health): OAuthProvider {
  const { authorize } = provider
  const shared = { limitMs, mayReject: 'asItIs' } as const
  // Whoever opens the page of a sign-in can make it fail.
  const identify = {
    ...{ ...shared, tally: health.tally('identify', 'reported') },
    isSound: isIdentity,
  }
  const authorization = { ...shared, tally: health.tally('authorize'), isSound: isAddress }
  return {
    ready: ready(health, () => provider.ready()),
    async identify(answer) {
      health.assertServes('identify')
      return containedLater(identify, () => provider.identify(answer))
    },
    authorize:
      authorize &&
      (async (request) => {
        health.assertServes('authorize')
        return containedLater(authorization, () => authorize.call(provider, request))
      }),
  }
}

export function containedNotifier(
  notifier: Notifier,
  { title }: Pick<Manifest, 'title'>,
  health: Health,
): Notifier {
  const { ready: readiness, faultOf } = notifier
  const { log, clock } = health
  const delivery = { tally: health.tally('deliver'), limitMs, isSound: isOutcome }
  const fields =
    faultOf && contained(health.tally('faultOf', 'reported'), faultOf.bind(notifier), isSentence)
  return {
    async deliver(notice, target) {
      const until = health.setAsideUntil
      if (until !== undefined) {
        const reason = `${title} failed again and again and is set aside for a while.`
        return { kind: 'later', reason, afterMs: until - clock.now() }
      }
      try {
        return await containedLater(delivery, () => notifier.deliver(notice, target))
      } catch (error) {
        log.error(faultFields(error), 'a notifier failed')
        return { kind: 'later', reason: `${title} failed. The log of the gateway says why.` }
      }
    },
    ready: readiness && ready(health, () => readiness.call(notifier)),
    faultOf:
      fields &&
      ((target) => {
        try {
          return fields(target)
        } catch (error) {
          log.error(faultFields(error), 'a notifier failed')
          return `${title} cannot be used for now.`
        }
      }),
  }
}

function isOutcome(outcome: unknown): boolean {
  if (!isObject(outcome)) return false
  if (outcome.kind === 'delivered') return true
  const { afterMs } = outcome
  return (
    (outcome.kind === 'later' || outcome.kind === 'refused') &&
    isText(outcome.reason, bounds.sentenceMax) &&
    (afterMs === undefined || (typeof afterMs === 'number' && afterMs >= 0))
  )
}

function isAddress(address: unknown): boolean {
  return address instanceof URL && address.href.length <= bounds.urlMax
}

/** `oauth` judges the subject; a member of another type, or endless, goes no further than here. */
function isIdentity(identity: unknown): boolean {
  if (!isObject(identity) || !isText(identity.subject, bounds.nameMax)) return false
  const { username, displayName, email, emailVerified, claims } = identity
  return (
    [username, displayName, email].every(
      (text) => text === undefined || isText(text, bounds.nameMax),
    ) &&
    (emailVerified === undefined || typeof emailVerified === 'boolean') &&
    (claims === undefined ||
      (isObject(claims) && JSON.stringify(claims).length <= bounds.claimsMax))
  )
}

function ready(health: Health, check: () => boolean): () => boolean {
  const call = contained(health.tally('ready', 'reported'), check, isBoolean)
  return () => {
    try {
      return call()
    } catch (error) {
      health.log.error(faultFields(error), 'a plugin cannot be used')
      return false
    }
  }
}

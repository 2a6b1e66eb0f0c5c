/**
 * OAuth providers and notifiers as services call them: one that cannot even say whether it is ready is not, and a fault of
 * one stays its own where several are called together. A delivery that throws is one to try again. What an OAuth provider
 * throws is for the caller to judge.
 */
import { isObject } from '../contract/json.js'
import type { Log } from '../contract/kit.js'
import type { Manifest } from '../contract/manifest.js'
import type { NoticeOutcome, Notifier } from '../contract/notifier.js'
import type { OAuthProvider } from '../contract/oauth.js'
import { faultFields, faultIn, PluginFault } from '../toolkit/errors/plugin-fault.js'

export function containedOAuth(provider: OAuthProvider, { id }: Manifest, log: Log): OAuthProvider {
  const { authorize } = provider
  return {
    ready: ready(() => provider.ready(), id, log),
    identify: async (answer) => provider.identify(answer),
    authorize: authorize && (async (request) => authorize.call(provider, request)),
  }
}

export function containedNotifier(notifier: Notifier, manifest: Manifest, log: Log): Notifier {
  const { id, title } = manifest
  const { ready: readiness, faultOf } = notifier
  return {
    async deliver(notice, target) {
      try {
        return outcomeOf(id, await notifier.deliver(notice, target))
      } catch (error) {
        log.error(faultFields(faultIn(id, 'deliver', error)), 'a notifier failed')
        return { kind: 'later', reason: `${title} failed. The log of the gateway says why.` }
      }
    },
    ready: readiness && ready(() => readiness.call(notifier), id, log),
    faultOf:
      faultOf &&
      ((target) => {
        try {
          return faultOf.call(notifier, target)
        } catch (error) {
          log.error(faultFields(new PluginFault(id, 'faultOf', error)), 'a notifier failed')
          return `${title} cannot be used for now.`
        }
      }),
  }
}

function outcomeOf(plugin: string, outcome: NoticeOutcome): NoticeOutcome {
  const kind: unknown = isObject(outcome) ? outcome.kind : undefined
  if (kind === 'delivered' || kind === 'later' || kind === 'refused') return outcome
  throw new PluginFault(plugin, 'deliver', new Error('it returned no outcome of a delivery'))
}

function ready(check: () => boolean, plugin: string, log: Log): () => boolean {
  return () => {
    try {
      return check()
    } catch (error) {
      log.error(faultFields(new PluginFault(plugin, 'ready', error)), 'a plugin cannot be used')
      return false
    }
  }
}

/** The functions of a provider that call its upstream themselves, as the gateway calls them. */
import type { Adapter, Provider } from '../contract/provider.js'
import type { Health } from './health.js'
import { isCredentials, isPrepared } from './provider-shapes.js'
import { containedLater, timeLimits } from './verb.js'
import { watching } from './watched-calls.js'

export function containedPrepare(adapter: Adapter, health: Health): Adapter['prepare'] {
  const { prepare } = adapter
  if (prepare === undefined) return undefined
  const tally = health.tally('prepare')
  const options = { tally, limitMs: timeLimits.outgoing, isSound: isPrepared }
  return (wire, channel, credentials, context) => {
    const { watched, isWaiting } = watching(context)
    return containedLater({ ...options, isWaiting }, () =>
      prepare.call(adapter, wire, channel, credentials, watched),
    )
  }
}

export function containedAuthorize(provider: Provider, health: Health): Provider['authorize'] {
  const { authorize } = provider
  if (authorize === undefined) return undefined
  const tally = health.tally('authorize')
  const options = { tally, limitMs: timeLimits.outgoing, isSound: isCredentials }
  return (key, channel, context) => {
    const { watched, isWaiting } = watching(context)
    return containedLater({ ...options, isWaiting }, () =>
      authorize.call(provider, key, channel, watched),
    )
  }
}

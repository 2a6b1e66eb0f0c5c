/**
 * Which channels and keys may take one try: none that failed this request (ROUTE-3), no key whose breaker is open, and
 * only channels whose provider serves the operation, format and model.
 */
import type { Channel, ChannelKey } from '../../../kernel/contract/line/channel.js'
import type { Adapter } from '../../../kernel/contract/provider.js'
import type { AdapterQuery, Providers } from '../../../kernel/contract/services/providers.js'
import { mappedModel } from '../../../kernel/toolkit/stage/index.js'
import type { Health } from '../health/index.js'
import type { Sieve } from './channel-pool.js'
import type { KeySieve } from './key-choice.js'
import type { PickQuery } from './routing.js'

export interface CandidateOptions {
  readonly health: Pick<Health, 'admits' | 'spares'>
  readonly providers: Pick<Providers, 'adapter'>
}

export class Candidates implements Sieve, KeySieve {
  looks = 0
  private readonly adapterAsk: AdapterQuery

  constructor(
    readonly query: PickQuery,
    private readonly options: CandidateOptions,
    /** Nobody is left whom the breakers admit: their trials may go before their time. */
    private readonly isLastResort = false,
  ) {
    const { operation, format, model, call } = query
    this.adapterAsk = { operation, format: format.name, model, call }
  }

  /** A tier is of one model, so the model needs no comparison. */
  get kind(): string {
    const { operation, format } = this.adapterAsk
    return `${operation} ${format} ${this.isLastResort}`
  }

  takes(channel: Channel): boolean {
    return !this.wasTried(channel) && this.fits(channel)
  }

  wasTried({ id }: Channel): boolean {
    for (const { channelId } of this.query.tried) if (channelId === id) return true
    return false
  }

  fits(channel: Channel): boolean {
    return this.hasKey(channel) && this.adapterOf(channel) !== undefined
  }

  takesKey({ id }: Channel, key: ChannelKey): boolean {
    const { health } = this.options
    this.looks += 1
    if (!key.enabled || this.isOtherKey(key)) return false
    return this.isLastResort
      ? health.spares(id, key.id, this.query.model)
      : health.admits(id, key.id, this.query.model)
  }

  private isOtherKey({ id }: ChannelKey): boolean {
    const { pinnedKey } = this.query.route
    return pinnedKey !== undefined && id !== pinnedKey
  }

  /** A mapping that runs in a circle is reported by its stage; until then the name stands for itself. */
  adapterOf(channel: Channel): Adapter | undefined {
    const { adapterAsk } = this
    const model = mappedModel(channel.modelMapping, adapterAsk.model) ?? adapterAsk.model
    const requested = model === adapterAsk.model ? adapterAsk : { ...adapterAsk, model }
    return this.options.providers.adapter(channel, requested)
  }

  private hasKey(channel: Channel): boolean {
    for (const key of channel.keys) if (this.takesKey(channel, key)) return true
    return false
  }
}

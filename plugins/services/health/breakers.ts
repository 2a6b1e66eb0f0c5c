/**
 * Every breaker there is, by channel, key and model. Only what failed has one, so that while all is well a question
 * costs one look into an empty map; past a bound those without outcomes for longest are forgotten.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Channel } from '../../../kernel/contract/line/channel.js'
import { Breaker, type Wait } from './breaker.js'
import type { BreakerScope } from './health.js'

interface Place {
  readonly channelId: number
  readonly keyId: number
  readonly model: string
}

/** Stands in the place of a model for the whole key. */
export const everyModel = ''

const none: readonly Breaker[] = []

type ByModel = Map<string, Breaker>
type ByKey = Map<number, ByModel>

export class Breakers {
  private readonly byChannel = new Map<number, ByKey>()
  /** Longest unheard of first. */
  private readonly heard = new Set<Breaker>()

  constructor(private readonly max: number) {}

  get empty(): boolean {
    return this.heard.size === 0
  }

  admits(channelId: number, keyId: number, model: string, now: () => number): boolean {
    const models = this.byChannel.get(channelId)?.get(keyId)
    if (models === undefined) return true
    const time = now()
    return (
      models.get(model)?.admits(time) !== false && models.get(everyModel)?.admits(time) !== false
    )
  }

  /** As `admits`, but an open breaker gives its one trial before its time. */
  spares(place: Place, now: number): boolean {
    return this.at(place).every((breaker) => breaker.spares(now))
  }

  /** The longest wait of those that stand for this place; undefined: none. */
  wait(place: Place, now: number): Wait | undefined {
    const waits = this.at(place).flatMap((breaker) => breaker.wait(now) ?? [])
    return waits.sort((a, b) => b.ms - a.ms)[0]
  }

  /** Those that stand for this place: the key's and the model's. */
  at({ channelId, keyId, model }: Place): readonly Breaker[] {
    const models = this.byChannel.get(channelId)?.get(keyId)
    if (models === undefined) return none
    const both = [models.get(model), models.get(everyModel)]
    return both.filter((breaker) => breaker !== undefined)
  }

  all(): Iterable<Breaker> {
    return this.heard
  }

  /** The one of this key and model, made where there is none. It counts as used. */
  ensure(channel: Channel, keyId: number, model: string): Breaker {
    const models = this.modelsOf(channel.id, keyId)
    const known = models.get(model)
    const breaker = known ?? new Breaker(channel, keyId, model)
    this.heard.delete(breaker)
    this.heard.add(breaker)
    if (known !== undefined) return known
    models.set(model, breaker)
    const [oldest] = this.heard
    if (this.heard.size > this.max && oldest !== undefined) this.forget(oldest)
    return breaker
  }

  forget(breaker: Breaker): void {
    const { channel, keyId, model } = breaker
    if (!this.heard.delete(breaker)) return
    const keys = this.byChannel.get(channel.id)
    const models = keys?.get(keyId)
    models?.delete(model)
    if (models?.size === 0) keys?.delete(keyId)
    if (keys?.size === 0) this.byChannel.delete(channel.id)
  }

  /** Returns how many were forgotten. */
  reset({ channelId, keyId, model }: BreakerScope): number {
    const meant = this.ofChannel(channelId).filter(
      (one) => (keyId ?? one.keyId) === one.keyId && (model ?? one.model) === one.model,
    )
    for (const breaker of meant) this.forget(breaker)
    return meant.length
  }

  /** A channel was edited: what failed before the edit proves nothing about it now. Undefined: it is gone. */
  edited(channelId: number, channel: Channel | undefined): void {
    for (const breaker of this.ofChannel(channelId)) {
      if (channel === undefined || isAnother(breaker.channel, channel, breaker.keyId)) {
        this.forget(breaker)
      } else breaker.channel = channel
    }
  }

  private ofChannel(channelId: number): readonly Breaker[] {
    const keys = this.byChannel.get(channelId)?.values() ?? []
    return [...keys].flatMap((models) => [...models.values()])
  }

  private modelsOf(channelId: number, keyId: number): ByModel {
    const keys: ByKey = this.byChannel.get(channelId) ?? new Map()
    const models: ByModel = keys.get(keyId) ?? new Map()
    this.byChannel.set(channelId, keys)
    keys.set(keyId, models)
    return models
  }
}

/** What decides how a call of the channel goes. */
const deciding = [
  'type',
  'baseUrl',
  'settings',
  'modelMapping',
  'paramOverride',
  'headerOverride',
  'passThroughBody',
  'proxy',
] as const

/** What was switched on again is judged anew too. */
function isAnother(before: Channel, after: Channel, keyId: number): boolean {
  const old = before.keys.find(({ id }) => id === keyId)
  const key = after.keys.find(({ id }) => id === keyId)
  if (old?.text !== key?.text || (!old?.enabled && key?.enabled)) return true
  if (!before.enabled && after.enabled) return true
  return deciding.some((member) => !isDeepStrictEqual(before[member], after[member]))
}

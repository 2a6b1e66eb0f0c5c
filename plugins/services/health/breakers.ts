/**
 * Every breaker there is, by channel, key and model. Only what failed has one, so that while all is well a question
 * costs one look into an empty map; past a bound those without outcomes for longest are forgotten.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Channel } from '../../../kernel/contract/line/channel.js'
import { Breaker, type Wait } from './breaker.js'
import type { BreakerScope } from './health.js'

export interface Breakers {
  readonly empty: boolean
  admits(channelId: number, keyId: number, model: string, now: () => number): boolean
  /** As `admits`, but an open breaker gives its one trial before its time. */
  spares(place: Place, now: number): boolean
  /** The longest wait of those that stand for this place; undefined: none. */
  wait(place: Place, now: number): Wait | undefined
  /** Those that stand for this place: the key's and the model's. */
  at(place: Place): readonly Breaker[]
  /** The one of this key and model, made where there is none. It counts as used. */
  ensure(channel: Channel, keyId: number, model: string): Breaker
  forget(breaker: Breaker): void
  all(): Iterable<Breaker>
  /** Answers how many were forgotten. */
  reset(scope: BreakerScope): number
  /** A channel was edited: what failed before the edit proves nothing about it now. Undefined: it is gone. */
  edited(channelId: number, channel: Channel | undefined): void
}

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

export function createBreakers(max: number): Breakers {
  const byChannel = new Map<number, ByKey>()
  /** Longest unheard of first. */
  const heard = new Set<Breaker>()

  function ensure(channel: Channel, keyId: number, model: string): Breaker {
    const models = modelsOf(channel.id, keyId)
    const known = models.get(model)
    const breaker = known ?? new Breaker(channel, keyId, model)
    heard.delete(breaker)
    heard.add(breaker)
    if (known !== undefined) return known
    models.set(model, breaker)
    const [oldest] = heard
    if (heard.size > max && oldest !== undefined) forget(oldest)
    return breaker
  }

  function modelsOf(channelId: number, keyId: number): ByModel {
    const keys: ByKey = byChannel.get(channelId) ?? new Map()
    const models: ByModel = keys.get(keyId) ?? new Map()
    byChannel.set(channelId, keys)
    keys.set(keyId, models)
    return models
  }

  function forget(breaker: Breaker): void {
    const { channel, keyId, model } = breaker
    if (!heard.delete(breaker)) return
    const keys = byChannel.get(channel.id)
    const models = keys?.get(keyId)
    models?.delete(model)
    if (models?.size === 0) keys?.delete(keyId)
    if (keys?.size === 0) byChannel.delete(channel.id)
  }

  function at({ channelId, keyId, model }: Place): readonly Breaker[] {
    const models = byChannel.get(channelId)?.get(keyId)
    if (models === undefined) return none
    const both = [models.get(model), models.get(everyModel)]
    return both.filter((breaker) => breaker !== undefined)
  }

  function* of(channelId: number): Iterable<Breaker> {
    for (const models of byChannel.get(channelId)?.values() ?? []) yield* models.values()
  }

  return {
    get empty() {
      return heard.size === 0
    },
    admits(channelId, keyId, model, now) {
      const models = byChannel.get(channelId)?.get(keyId)
      if (models === undefined) return true
      const time = now()
      return (
        models.get(model)?.admits(time) !== false && models.get(everyModel)?.admits(time) !== false
      )
    },
    spares(place, now) {
      return at(place).every((breaker) => breaker.spares(now))
    },
    wait(place, now) {
      const waits = at(place).flatMap((breaker) => breaker.wait(now) ?? [])
      return waits.sort((a, b) => b.ms - a.ms)[0]
    },
    at,
    ensure,
    forget,
    all: () => heard,
    reset({ channelId, keyId, model }) {
      const meant = [...of(channelId)].filter(
        (one) => (keyId ?? one.keyId) === one.keyId && (model ?? one.model) === one.model,
      )
      for (const breaker of meant) forget(breaker)
      return meant.length
    },
    edited(channelId, channel) {
      for (const breaker of [...of(channelId)]) {
        if (channel === undefined || isAnother(breaker.channel, channel, breaker.keyId)) {
          forget(breaker)
        } else breaker.channel = channel
      }
    },
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

/**
 * The channel of the next try (ROUTE-2, ROUTE-3, ROUTE-16): the one the request is tied to, else the first group that
 * has a candidate; after a failure another one of the same group, and in the end, where the policy allows it, of the next.
 */
import type { AttemptTrace } from '../../../kernel/contract/line/attempt.js'
import type { Channel, Route } from '../../../kernel/contract/line/channel.js'
import type { Channels } from '../channels/index.js'
import type { Health } from '../health/index.js'
import { type CandidateOptions, Candidates } from './candidates.js'
import type { Random } from './channel-pool.js'
import { type KeyChoice, keyChoice } from './key-choice.js'
import type { Picking, PickQuery, Routing } from './routing.js'
import { type TierDraw, tierDraw } from './tier-draw.js'

export interface PickDependencies extends CandidateOptions {
  readonly channels: Pick<Channels, 'get' | 'tiers'>
  readonly health: Pick<Health, 'admits' | 'spares' | 'claim'>
  readonly random: Random
  /** Milliseconds of a clock that only grows. */
  readonly now: () => number
  /** Option `RetryTimes`. */
  retriesPerGroup(): number
}

export function picker(dependencies: PickDependencies): Routing['pick'] {
  const picker = new Picker(dependencies)
  return (query) => picker.pick(query)
}

class Picker {
  private readonly draw: TierDraw
  private readonly choose: KeyChoice

  constructor(private readonly dependencies: PickDependencies) {
    const { random, now } = dependencies
    this.draw = tierDraw(random, now)
    this.choose = keyChoice(random)
  }

  pick(query: PickQuery): Picking | undefined {
    return (
      this.among(new Candidates(query, this.dependencies)) ??
      this.among(new Candidates(query, this.dependencies, true))
    )
  }

  private among(candidates: Candidates): Picking | undefined {
    const { route, tried } = candidates.query
    const last = tried.at(-1)
    if (route.pinned !== undefined) {
      return last === undefined ? this.named(route.pinned, candidates) : undefined
    }
    if (last !== undefined) return this.afterFailure(last, candidates)
    return this.tied(candidates) ?? this.from(0, candidates)
  }

  /** The channel that answered before, for as long as the route leads to it and it can. */
  private tied(candidates: Candidates): Picking | undefined {
    const { affinity, route } = candidates.query
    const id = affinity?.channelId
    if (id === undefined) return undefined
    if (positionOf(this.dependencies.channels.get(id), route) < 0) return undefined
    return this.named(id, candidates)
  }

  /** This channel and no other, for the first group of the route it stands in. */
  private named(id: number, candidates: Candidates): Picking | undefined {
    const { route, model } = candidates.query
    const channel = this.dependencies.channels.get(id)
    if (!channel?.enabled || !channel.models.has(model)) return undefined
    if (!candidates.takes(channel)) return undefined
    return this.taken(channel, Math.max(positionOf(channel, route), 0), candidates)
  }

  private afterFailure(last: AttemptTrace, candidates: Candidates): Picking | undefined {
    const { affinity, route, tried } = candidates.query
    if (affinity?.skipRetry && affinity.channelId === last.channelId) return undefined
    const triesHere = tried.filter(({ position }) => position === last.position).length
    const mayStay = triesHere <= this.dependencies.retriesPerGroup()
    const again = mayStay ? this.inGroup(last.position, candidates) : undefined
    if (again !== undefined || !route.crossGroup) return again
    return this.from(last.position + 1, candidates)
  }

  private from(start: number, candidates: Candidates): Picking | undefined {
    for (let position = start; position < candidates.query.route.groups.length; position++) {
      const picking = this.inGroup(position, candidates)
      if (picking !== undefined) return picking
    }
    return undefined
  }

  private inGroup(position: number, candidates: Candidates): Picking | undefined {
    const { route, model } = candidates.query
    for (const tier of this.dependencies.channels.tiers(route.groups[position]!, model)) {
      const channel = this.draw(tier.channels, candidates)
      if (channel !== undefined) return this.taken(channel, position, candidates)
    }
    return undefined
  }

  /** A channel the candidates have just accepted. */
  private taken(channel: Channel, position: number, candidates: Candidates): Picking {
    const { route, model } = candidates.query
    const key = this.choose(channel, candidates)!
    return {
      channel,
      key: key.text,
      keyId: key.id,
      group: route.groups[position]!,
      position,
      adapter: candidates.adapterOf(channel)!,
      claim: this.dependencies.health.claim(channel, key.id, model),
    }
  }
}

/** −1: in none of the groups. */
function positionOf(channel: Channel | undefined, { groups }: Route): number {
  if (channel === undefined) return -1
  return groups.findIndex((group) => channel.groups.includes(group))
}

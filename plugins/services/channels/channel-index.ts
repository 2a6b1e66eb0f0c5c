/**
 * The channels by id, and the ordered tiers of each (group, model): built when first needed, dropped when a channel
 * that touches them changes.
 */
import type { Channel } from '../../../kernel/contract/line/channel.js'
import type { Channels, Tier } from './channels.js'

export interface ChannelIndex extends Pick<Channels, 'get' | 'all' | 'tiers' | 'models'> {
  put(channel: Channel): void
  remove(id: number): void
}

/** What one group knows of its enabled channels. */
interface Group {
  readonly models: Map<string, Serving>
  /** Names of the models in order; absent: not needed since they changed. */
  names?: readonly string[]
}

/** Those who serve one model in one group, by id: what an edit costs does not follow how many there are. */
interface Serving {
  readonly channels: Map<number, Channel>
  tiers?: readonly Tier[]
}

const nobody: readonly Tier[] = []

export function channelIndex(): ChannelIndex {
  const byId = new Map<number, Channel>()
  const groups = new Map<string, Group>()
  let ordered: readonly Channel[] | undefined

  /** What stays where it was keeps its place, so that tiers are built of channels in order of id. */
  function put(channel: Channel): void {
    const before = byId.get(channel.id)
    if (before !== undefined && !standsAlike(before, channel)) withdraw(before)
    byId.set(channel.id, channel)
    ordered = undefined
    if (channel.enabled) for (const name of channel.groups) join(groupNamed(name), channel)
  }

  function remove(id: number): void {
    const channel = byId.get(id)
    if (channel === undefined) return
    byId.delete(id)
    ordered = undefined
    withdraw(channel)
  }

  function withdraw(channel: Channel): void {
    if (!channel.enabled) return
    for (const name of channel.groups) {
      const group = groups.get(name)
      if (group === undefined) continue
      leave(group, channel)
      if (group.models.size === 0) groups.delete(name)
    }
  }

  function all(): readonly Channel[] {
    ordered ??= inOrder([...byId.values()])
    return ordered
  }

  function groupNamed(name: string): Group {
    const known = groups.get(name)
    if (known !== undefined) return known
    const made: Group = { models: new Map() }
    groups.set(name, made)
    return made
  }

  function tiers(group: string, model: string): readonly Tier[] {
    const serving = groups.get(group)?.models.get(model)
    if (serving === undefined) return nobody
    serving.tiers ??= build(serving.channels.values())
    return serving.tiers
  }

  function models(group: string): readonly string[] {
    const home = groups.get(group)
    if (home === undefined) return []
    home.names ??= [...home.models.keys()].sort()
    return home.names
  }

  return { get: (id) => byId.get(id), all, tiers, models, put, remove }
}

/** In the same groups for the same models. */
function standsAlike(before: Channel, after: Channel): boolean {
  return (
    before.enabled === after.enabled &&
    areAlike(before.groups, after.groups) &&
    (before.models === after.models || areAlike([...before.models], [...after.models]))
  )
}

function areAlike(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((text, at) => text === right[at])
}

function join(group: Group, channel: Channel): void {
  for (const model of channel.models) {
    const serving = group.models.get(model)
    if (serving === undefined) {
      group.models.set(model, { channels: new Map([[channel.id, channel]]) })
      group.names = undefined
    } else {
      serving.channels.set(channel.id, channel)
      serving.tiers = undefined
    }
  }
}

function leave(group: Group, { id, models }: Channel): void {
  for (const model of models) {
    const serving = group.models.get(model)
    if (serving === undefined) continue
    serving.channels.delete(id)
    serving.tiers = undefined
    if (serving.channels.size > 0) continue
    group.models.delete(model)
    group.names = undefined
  }
}

function build(channels: Iterable<Channel>): readonly Tier[] {
  const byPriority = new Map<number, Channel[]>()
  for (const channel of channels) {
    const { priority } = channel
    const tier = byPriority.get(priority)
    if (tier === undefined) byPriority.set(priority, [channel])
    else tier.push(channel)
  }
  return [...byPriority]
    .sort(([a], [b]) => b - a)
    .map(([priority, tier]) => ({ priority, channels: inOrder(tier) }))
}

/** By id, as they mostly are already. */
function inOrder(channels: Channel[]): readonly Channel[] {
  for (let at = 1; at < channels.length; at++) {
    if (channels[at - 1]!.id > channels[at]!.id) return channels.sort((a, b) => a.id - b.id)
  }
  return channels
}

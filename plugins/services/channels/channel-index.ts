/**
 * The channels by id, and the ordered tiers of each (group, model): built when first asked for, dropped when a channel
 * that touches them changes.
 */
import type { Channel } from '../../../kernel/contract/exchange.js'
import type { Channels, Tier } from './channels.js'

export interface ChannelIndex extends Omit<Channels, 'renewKey'> {
  /** A channel that is not enabled is found by id and stands in no tier. */
  put(channel: Channel, state: { readonly enabled: boolean }): void
  remove(id: number): void
}

/** What one group knows of its enabled channels. */
interface Group {
  readonly members: Map<number, Channel>
  /** Model → how many members serve it; a name nobody serves is answered without a search. */
  readonly served: Map<string, number>
  readonly tiers: Map<string, readonly Tier[]>
  models?: readonly string[]
}

export function channelIndex(): ChannelIndex {
  const all = new Map<number, Channel>()
  const groups = new Map<string, Group>()

  function put(channel: Channel, { enabled }: { readonly enabled: boolean }): void {
    remove(channel.id)
    all.set(channel.id, channel)
    if (enabled) for (const name of channel.groups) join(groupNamed(name), channel)
  }

  function remove(id: number): void {
    const channel = all.get(id)
    all.delete(id)
    for (const name of channel?.groups ?? []) leave(groupNamed(name), id)
  }

  function groupNamed(name: string): Group {
    const known = groups.get(name)
    if (known !== undefined) return known
    const made: Group = { members: new Map(), served: new Map(), tiers: new Map() }
    groups.set(name, made)
    return made
  }

  function tiers(group: string, model: string): readonly Tier[] {
    const home = groups.get(group)
    if (home === undefined || !home.served.has(model)) return []
    const known = home.tiers.get(model)
    if (known !== undefined) return known
    const built = build(home.members.values(), model)
    home.tiers.set(model, built)
    return built
  }

  function models(group: string): readonly string[] {
    const home = groups.get(group)
    if (home === undefined) return []
    home.models ??= [...home.served.keys()].sort()
    return home.models
  }

  return { get: (id) => all.get(id), tiers, models, put, remove }
}

function join(group: Group, channel: Channel): void {
  group.members.set(channel.id, channel)
  group.models = undefined
  for (const model of channel.models) {
    group.served.set(model, (group.served.get(model) ?? 0) + 1)
    group.tiers.delete(model)
  }
}

function leave(group: Group, id: number): void {
  const channel = group.members.get(id)
  if (channel === undefined) return
  group.members.delete(id)
  group.models = undefined
  for (const model of channel.models) {
    const left = (group.served.get(model) ?? 0) - 1
    if (left > 0) group.served.set(model, left)
    else group.served.delete(model)
    group.tiers.delete(model)
  }
}

function build(members: Iterable<Channel>, model: string): readonly Tier[] {
  const byPriority = new Map<number, Channel[]>()
  for (const channel of members) {
    if (!channel.models.has(model)) continue
    const tier = byPriority.get(channel.priority)
    if (tier === undefined) byPriority.set(channel.priority, [channel])
    else tier.push(channel)
  }
  return [...byPriority]
    .sort(([a], [b]) => b - a)
    .map(([priority, channels]) => ({ priority, channels: channels.sort((a, b) => a.id - b.id) }))
}

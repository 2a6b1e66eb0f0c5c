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

/**
 * What one group knows of its enabled channels. Channels that serve the same models share one set of them, so who serves a model is
 * found by the sets and not kept for each model: what is kept grows with the channels and not with what they serve.
 */
interface Group {
  /** By the set of models they serve; in it by id. */
  readonly serving: Map<ReadonlySet<string>, Map<number, Channel>>
  /** In how many of the sets a model is. */
  readonly models: Map<string, number>
  /** Of models that were called for since a channel that serves them changed. */
  readonly tiers: Map<string, readonly Tier[]>
  /** Names of the models in order; absent: not needed since they changed. */
  names?: readonly string[]
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
      if (group.serving.size === 0) groups.delete(name)
    }
  }

  function all(): readonly Channel[] {
    ordered ??= inOrder([...byId.values()])
    return ordered
  }

  function groupNamed(name: string): Group {
    const known = groups.get(name)
    if (known !== undefined) return known
    const made: Group = { serving: new Map(), models: new Map(), tiers: new Map() }
    groups.set(name, made)
    return made
  }

  function tiers(group: string, model: string): readonly Tier[] {
    const home = groups.get(group)
    const known = home?.tiers.get(model)
    if (known !== undefined) return known
    if (!home?.models.has(model)) return nobody
    const built = build(home, model)
    home.tiers.set(model, built)
    return built
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
    before.models === after.models &&
    areAlike(before.groups, after.groups)
  )
}

function areAlike(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((text, at) => text === right[at])
}

function join(group: Group, channel: Channel): void {
  const { id, models } = channel
  dropTiers(group, models)
  const alike = group.serving.get(models)
  if (alike !== undefined) {
    alike.set(id, channel)
    return
  }
  group.serving.set(models, new Map([[id, channel]]))
  for (const model of models) {
    const sets = group.models.get(model) ?? 0
    group.models.set(model, sets + 1)
    if (sets === 0) group.names = undefined
  }
}

function leave(group: Group, { id, models }: Channel): void {
  dropTiers(group, models)
  const alike = group.serving.get(models)
  alike?.delete(id)
  if (alike?.size !== 0) return
  group.serving.delete(models)
  for (const model of models) {
    const sets = group.models.get(model)! - 1
    if (sets > 0) group.models.set(model, sets)
    else {
      group.models.delete(model)
      group.names = undefined
    }
  }
}

/** Looks through whichever is shorter. */
function dropTiers({ tiers }: Group, models: ReadonlySet<string>): void {
  if (tiers.size < models.size) {
    for (const model of tiers.keys()) if (models.has(model)) tiers.delete(model)
  } else {
    for (const model of models) tiers.delete(model)
  }
}

function build({ serving }: Group, model: string): readonly Tier[] {
  const byPriority = new Map<number, Channel[]>()
  for (const [models, alike] of serving) {
    if (!models.has(model)) continue
    for (const channel of alike.values()) {
      const { priority } = channel
      const tier = byPriority.get(priority)
      if (tier === undefined) byPriority.set(priority, [channel])
      else tier.push(channel)
    }
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

/** Routing: turns a caller into an ordered list of groups, and a group and model into the channel of the next try. */
import type { Channel, Route, Token, User } from '../../../kernel/contract/exchange.js'
import type { Kit } from '../../../kernel/contract/kit.js'
import type { Adapter } from '../../../kernel/contract/provider.js'
import { Refusal } from '../../../kernel/errors.js'
import { mappedModel } from '../../../kernel/pipeline/model-mapping.js'
import { choose } from './choose.js'
import type { PickAsk, Picking, Routing } from './routing.js'

export type * from './routing.js'

export default function create({ services }: Kit<'channels' | 'pricing' | 'providers'>): Routing {
  const { channels, pricing, providers } = services

  function plan(user: User, token: Token | undefined, asked?: string): Route {
    const group = asked || token?.group || user.group
    if (!pricing.groups().includes(group)) throw new Refusal('group_not_usable', { group })
    return { groups: [group] }
  }

  function pick(ask: PickAsk): Picking | undefined {
    for (let position = ask.position; position < ask.route.groups.length; position++) {
      const found = pickIn(position, ask)
      if (found !== undefined) return found
    }
    return undefined
  }

  function pickIn(position: number, ask: PickAsk): Picking | undefined {
    const group = ask.route.groups[position]!
    for (const tier of channels.tiers(group, ask.model)) {
      const channel = choose(tier.channels, (candidate) => takes(candidate, ask), Math.random())
      if (channel === undefined) continue
      const adapter = adapterOf(channel, ask)!
      return { channel, key: channel.keys[0]!, group, position, adapter }
    }
    return undefined
  }

  function takes(channel: Channel, ask: PickAsk): boolean {
    return (
      !ask.excluded.has(channel.id) &&
      channel.keys.length > 0 &&
      adapterOf(channel, ask) !== undefined
    )
  }

  /** A mapping that runs in a circle is told by its stage; until then the name stands for itself. */
  function adapterOf(channel: Channel, { operation, format, model }: PickAsk): Adapter | undefined {
    const upstreamModel = mappedModel(channel.modelMapping, model) ?? model
    return providers.adapter(channel, { operation, format: format.name, model: upstreamModel })
  }

  function models(route: Route): readonly string[] {
    const names = new Set(route.groups.flatMap((group) => channels.models(group)))
    return [...names].sort()
  }

  return { plan, pick, models }
}

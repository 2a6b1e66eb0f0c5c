/** Which models make media for a user, and who would serve them: channels, of which users are shown nothing. */

import type { Channel } from '../../../kernel/contract/line/channel.js'
import type { User } from '../../../kernel/contract/line/people.js'
import type { OperationName } from '../../../kernel/contract/names.js'
import type { Adapter } from '../../../kernel/contract/provider.js'
import type { Catalog } from '../../../kernel/contract/services/catalog.js'
import type { Providers } from '../../../kernel/contract/services/providers.js'
import { mappedModel } from '../../../kernel/toolkit/stage/index.js'
import { actionOfModel } from '../../../kernel/toolkit/task/index.js'
import type { Channels } from '../../services/channels/index.js'
import type { ModelRegistry } from '../../services/model-registry/index.js'
import type { Routing } from '../../services/routing/index.js'
import { type Makers, makersIn, type StatedForm } from './makers.js'

export interface Served {
  readonly model: string
  readonly upstreamModel: string
  readonly operation: OperationName
  readonly action: string | undefined
  readonly form: StatedForm
  readonly group: string
  readonly channel: Channel
  readonly adapter: Adapter
}

export interface ServingServices {
  readonly catalog: Pick<Catalog, 'list' | 'channelTypes'>
  readonly providers: Pick<Providers, 'adapter' | 'warm'>
  readonly channels: Pick<Channels, 'tiers'>
  readonly routing: Pick<Routing, 'plan' | 'models'>
  readonly registry: Pick<ModelRegistry, 'describe'>
}

export interface Serving {
  /** In the order of the route's models. `group`: the one the client names; empty: the user's own route. */
  all(user: User, group: string): Promise<readonly Served[]>
  /** Undefined: the user's route has no such model, or it makes no media. */
  one(user: User, group: string, model: string): Promise<Served | undefined>
}

const taskOperations = ['video', 'music', 'midjourney'] as const

export function createServing(services: ServingServices): Serving {
  const { catalog, providers, channels, routing, registry } = services

  /** The first channel of the first group that serves the model: the one a request would try first, or one alike. */
  async function served(
    model: string,
    groups: readonly string[],
    makers: Makers,
  ): Promise<Served | undefined> {
    const isImages = describesImages(model)
    for (const group of groups) {
      const found = channels.tiers(group, model).flatMap((tier) => tier.channels)
      const channel = found.find(({ type }) => isImages || makers.serve(type))
      if (channel === undefined) continue
      await providers.warm(channel.type)
      const one = servedBy(channel, model, group, makers)
      if (one !== undefined) return one
    }
    return undefined
  }

  function servedBy(
    channel: Channel,
    model: string,
    group: string,
    makers: Makers,
  ): Served | undefined {
    const upstreamModel = mappedModel(channel.modelMapping, model)
    if (upstreamModel === undefined) return undefined
    const operations = describesImages(model) ? (['images'] as const) : taskOperations
    for (const operation of operations) {
      const query = { operation, format: 'chat', model: upstreamModel } as const
      const adapter = providers.adapter(channel, query)
      const plugin = String(adapter?.issuer)
      if (adapter === undefined || !isMeant(adapter, channel, model, makers)) continue
      const action = actionOfModel(operation, model)
      const form = makers.form(plugin, operation, action)
      if (form === undefined) continue
      return { model, upstreamModel, operation, action, form, group, channel, adapter }
    }
    return undefined
  }

  /** On channels of others a task type may stand beside models that chat, of which only the names tell. */
  function isMeant(
    { format, serves, issuer }: Adapter,
    channel: Channel,
    model: string,
    makers: Makers,
  ): boolean {
    if (describesImages(model)) return true
    if (format !== 'task') return false
    if (makers.owns(String(issuer), channel.type) || serves !== undefined) return true
    return registry.describe(model).endpoints.length === 0
  }

  function describesImages(model: string): boolean {
    return registry.describe(model).endpoints.some(({ type }) => type === 'image-generation')
  }

  function routeOf(user: User, group: string) {
    return routing.plan({ user }, { requested: group === '' ? undefined : group })
  }

  return {
    async all(user, group) {
      const route = routeOf(user, group)
      const makers = makersIn(catalog)
      const found: Served[] = []
      for (const model of routing.models(route)) {
        if (registry.describe(model).hidden) continue
        const one = await served(model, route.groups, makers)
        if (one !== undefined) found.push(one)
      }
      return found
    },
    async one(user, group, model) {
      const route = routeOf(user, group)
      return served(model, route.groups, makersIn(catalog))
    },
  }
}

/**
 * The routes of a channel, read once for as long as its settings stand, and the one that takes a model. Channel records
 * are replaced when an admin edits them, so the settings themselves are the key.
 */
import type { OperationName } from '../../kernel/contract/exchange.js'
import type { FormatName } from '../../kernel/contract/format.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { ChannelView } from '../../kernel/contract/provider.js'
import { type Route, readRoutes } from './routes.js'

export interface Wanted {
  readonly operation: OperationName
  readonly format?: FormatName
}

export type Table = (channel: ChannelView, wanted: Wanted, model: string) => Route | undefined

/** Found routes of one channel; models come from the channel's own list, so there are few. */
const foundMax = 1000

interface Known {
  readonly routes: readonly Route[]
  readonly found: Map<string, Route | undefined>
}

export function routeTable(): Table {
  const known = new WeakMap<JsonObject, Known>()

  function of({ settings }: ChannelView): Known {
    const before = known.get(settings)
    if (before !== undefined) return before
    const read: Known = { routes: readRoutes(documentOf(settings)), found: new Map() }
    known.set(settings, read)
    return read
  }

  return (channel, { operation, format }, model) => {
    const { routes, found } = of(channel)
    const place = `${operation} ${format ?? ''} ${model}`
    if (found.has(place)) return found.get(place)
    const route = routes.find(
      (one) => one.operation === operation && one.format === format && one.takes(model),
    )
    if (found.size >= foundMax) found.clear()
    found.set(place, route)
    return route
  }
}

/** Channels that come from the family keep their routes under its own name. */
function documentOf({ routes, advanced_custom }: JsonObject): JsonObject[string] {
  return advanced_custom !== undefined && isBlank(routes) ? advanced_custom : routes
}

function isBlank(routes: JsonObject[string]): boolean {
  return routes === undefined || JSON.stringify(routes) === '{"routes":[]}'
}

/**
 * The routes of a channel, read once for as long as its settings stand, and the one that takes a model. Channel records
 * are replaced when an admin edits them, so the settings themselves are the key.
 */

import type { JsonObject } from '../../kernel/contract/json.js'
import type { FormatName, OperationName } from '../../kernel/contract/names.js'
import type { ChannelView } from '../../kernel/contract/provider.js'
import { type Route, readRoutes } from './routes.js'

interface Wanted {
  readonly operation: OperationName
  readonly format?: FormatName
  /** The client's format. Absent: any client's. */
  readonly client?: FormatName
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

  return (channel, wanted, model) => {
    const { routes, found } = of(channel)
    const place = `${wanted.operation} ${wanted.format ?? ''} ${wanted.client ?? ''} ${model}`
    if (found.has(place)) return found.get(place)
    const route = firstOf(routes, wanted, model)
    if (found.size >= foundMax) found.clear()
    found.set(place, route)
    return route
  }
}

/** The first route of a client's path decides what is spoken; one behind it never comes into play. */
function firstOf(routes: readonly Route[], wanted: Wanted, model: string): Route | undefined {
  const { operation, format, client } = wanted
  const able = routes.filter((one) => one.operation === operation && one.takes(model))
  if (client === undefined) return able.find((one) => one.format === format)
  const first = able.find((one) => one.client === client)
  return first?.format === format ? first : undefined
}

/** Channels that come from the family keep their routes under its own name. */
export function documentOf({ routes, advanced_custom }: JsonObject): JsonObject[string] {
  return advanced_custom !== undefined && isBlank(routes) ? advanced_custom : routes
}

function isBlank(routes: JsonObject[string]): boolean {
  return routes === undefined || JSON.stringify(routes) === '{"routes":[]}'
}

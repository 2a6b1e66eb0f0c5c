/**
 * The routes of a channel, read once for as long as its settings stand, and the one that takes a model. Channel records
 * are replaced when an admin edits them, so the settings themselves are the key.
 */

import type { JsonObject } from '../../kernel/contract/json.js'
import type { FormatName, OperationName } from '../../kernel/contract/names.js'
import type { ChannelView } from '../../kernel/contract/provider.js'
import { readDocument } from './document.js'
import type { Form, Route } from './routes.js'
import { isWhole } from './target.js'

interface Wanted {
  readonly operation: OperationName
  readonly form: Form
  /** Of Gemini's embeddings: whether there are many texts. Absent: either way. */
  readonly many?: boolean
}

/** `client`: the client's format. Absent: any client's. */
type Finder = (channel: ChannelView, model: string, client?: FormatName) => Route | undefined

/** A finder for each adapter, all of them over the same documents. */
export type Table = (wanted: Wanted) => Finder

/** Found routes of one channel; models come from the channel's own list, so there are few. */
const foundMax = 1000

export function routeTable(): Table {
  const documents = new WeakMap<JsonObject, readonly Route[]>()

  function routesIn({ settings, baseUrl }: ChannelView): readonly Route[] {
    let routes = documents.get(settings)
    if (routes === undefined) {
      routes = readDocument(settings).routes
      documents.set(settings, routes)
    }
    // Without a base URL only whole addresses lead anywhere.
    return baseUrl === '' ? routes.filter(({ target }) => isWhole(target)) : routes
  }

  return (wanted) => {
    const known = new WeakMap<JsonObject, Map<FormatName | '', Map<string, Route | undefined>>>()

    /** Asked with every pick: no text is put together for it. */
    return (channel, model, client) => {
      const clients = entry(known, channel.settings, () => new Map())
      const found = entry(clients, client ?? '', () => new Map<string, Route | undefined>())
      const before = found.get(model)
      if (before !== undefined || found.has(model)) return before
      const route = firstOf(routesIn(channel), wanted, model, client)
      if (found.size >= foundMax) found.clear()
      found.set(model, route)
      return route
    }
  }
}

interface Entries<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}

function entry<Key, Value>(entries: Entries<Key, Value>, key: Key, make: () => Value): Value {
  const before = entries.get(key)
  if (before !== undefined) return before
  const made = make()
  entries.set(key, made)
  return made
}

/** The first route of a client's path decides what is spoken; one behind it never comes into play. */
function firstOf(
  routes: readonly Route[],
  { operation, form, many }: Wanted,
  model: string,
  client: FormatName | undefined,
): Route | undefined {
  const able = routes.filter((one) => one.operation === operation && one.takes(model))
  const fitting = client === undefined ? able.filter((one) => one.form === form) : of(able, client)
  const first = fitting.find((one) => one.many === many) ?? fitting[0]
  return first?.form === form ? first : undefined
}

/** Routes of the client's own path, else those that serve any. */
function of(able: readonly Route[], client: FormatName): readonly Route[] {
  const own = able.filter((one) => one.client === client)
  return own.length > 0 ? own : able.filter((one) => one.client === undefined)
}

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
  /** The client's format. Absent: any client's. */
  readonly client?: FormatName
  /** Of Gemini's embeddings: whether there are many texts. Absent: either way. */
  readonly many?: boolean
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

  function of(settings: JsonObject): Known {
    const before = known.get(settings)
    if (before !== undefined) return before
    const read: Known = { routes: readDocument(settings).routes, found: new Map() }
    known.set(settings, read)
    return read
  }

  return (channel, wanted, model) => {
    const { routes, found } = of(channel.settings)
    const { operation, form, client = '', many = '' } = wanted
    const place = `${operation} ${form} ${client} ${many} ${model}`
    const before = found.get(place)
    if (before !== undefined || found.has(place)) return before
    const first = firstOf(usable(routes, channel), wanted, model)
    if (found.size >= foundMax) found.clear()
    found.set(place, first)
    return first
  }
}

/** Without a base URL only whole addresses lead anywhere. */
function usable(routes: readonly Route[], { baseUrl }: ChannelView): readonly Route[] {
  return baseUrl === '' ? routes.filter(({ target }) => isWhole(target)) : routes
}

/** The first route of a client's path decides what is spoken; one behind it never comes into play. */
function firstOf(routes: readonly Route[], wanted: Wanted, model: string): Route | undefined {
  const { operation, form, client, many } = wanted
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

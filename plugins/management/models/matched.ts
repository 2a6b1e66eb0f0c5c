/** What an entry means at this moment: the served models it speaks for, who serves them, and how they are charged. */
import type { Channel } from '../../../kernel/contract/line/channel.js'
import type { ModelRegistry, Served } from '../../services/model-registry/index.js'
import type { PriceBook, Quote } from '../../services/pricing/index.js'

export interface Matched {
  /** In order of name. */
  readonly models: readonly string[]
  /** The first of them, in order of id. */
  readonly channels: readonly {
    readonly id: number
    readonly name: string
    readonly type: number
  }[]
  /** How many there are. */
  readonly channelCount: number
  /** In order of name. */
  readonly groups: readonly string[]
  /** The family's numbers: 0 by tokens, 1 by request. */
  readonly quotaTypes: readonly number[]
}

/** More names than anybody reads of one entry; of thousands they would make a page of megabytes. */
const channelsMax = 100

/** By id of the entry; built once for all entries of an answer. */
export function matchedBy(registry: ModelRegistry, prices: PriceBook): (id: number) => Matched {
  const served = registry.served()
  const byEntry = new Map<number, string[]>()
  for (const name of served.keys()) {
    const entry = registry.describe(name).entry
    if (entry === undefined) continue
    const models = byEntry.get(entry.id)
    if (models === undefined) byEntry.set(entry.id, [name])
    else models.push(name)
  }
  return (id) => matchedIn(byEntry.get(id) ?? [], served, prices)
}

function matchedIn(
  models: readonly string[],
  served: ReadonlyMap<string, Served>,
  prices: PriceBook,
): Matched {
  const channels = new Map<number, Channel>()
  const groups = new Set<string>()
  const quotaTypes = new Set<number>()
  for (const name of models) {
    const found = served.get(name)!
    for (const channel of found.channels) channels.set(channel.id, channel)
    for (const group of found.groups) groups.add(group)
    if (prices.priced(name)) quotaTypes.add(isByTokens(prices.quote(name)) ? 0 : 1)
  }
  const bound = [...channels.values()].sort((left, right) => left.id - right.id)
  return {
    models,
    channels: bound.slice(0, channelsMax).map(({ id, name, type }) => ({ id, name, type })),
    channelCount: bound.length,
    groups: [...groups].sort(),
    quotaTypes: [...quotaTypes].sort(),
  }
}

/** As on the page of models: what is free is of no kind, and stands with the tokens. */
function isByTokens(quote: Quote | undefined): boolean {
  return quote?.mode !== 'price' && quote?.mode !== 'card'
}

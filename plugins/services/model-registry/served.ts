/**
 * Which models enabled channels serve, and who serves each. Made of all channels at once and kept until one of them
 * changes: lists of models are read far more often than channels are edited.
 */
import type { Channel } from '../../../kernel/contract/line/channel.js'
import type { Served } from './model-registry.js'

export type ServedBy = (channels: readonly Channel[]) => ReadonlyMap<string, Served>

/** The channels service answers with another array where anything in it changed. */
export function servedByChannels(): ServedBy {
  let madeOf: readonly Channel[] | undefined
  let made: ReadonlyMap<string, Served> = new Map()
  return (channels) => {
    if (channels !== madeOf) {
      made = servedBy(channels)
      madeOf = channels
    }
    return made
  }
}

class ServedModel implements Served {
  /** Those who serve the same models share one list of themselves. */
  readonly lists: (readonly Channel[])[] = []
  private found: readonly Channel[] | undefined
  private names: readonly string[] | undefined

  /** Asked for of the few models of a page. */
  get channels(): readonly Channel[] {
    this.found ??= this.lists.flat().sort((left, right) => left.id - right.id)
    return this.found
  }

  get groups(): readonly string[] {
    this.names ??= [...new Set(this.channels.flatMap((channel) => channel.groups))].sort()
    return this.names
  }
}

function servedBy(channels: readonly Channel[]): ReadonlyMap<string, Served> {
  const byModel = new Map<string, ServedModel>()
  for (const [models, alike] of byModels(channels)) {
    for (const model of models) {
      let served = byModel.get(model)
      if (served === undefined) {
        served = new ServedModel()
        byModel.set(model, served)
      }
      served.lists.push(alike)
    }
  }
  return new Map([...byModel].sort(([left], [right]) => (left < right ? -1 : 1)))
}

function byModels(channels: readonly Channel[]): ReadonlyMap<ReadonlySet<string>, Channel[]> {
  const lists = new Map<ReadonlySet<string>, Channel[]>()
  for (const channel of channels) {
    if (!channel.enabled) continue
    const alike = lists.get(channel.models)
    if (alike === undefined) lists.set(channel.models, [channel])
    else alike.push(channel)
  }
  return lists
}

/**
 * What has changed at an upstream since its channel's list was written: names to add, names that are gone. What was found
 * is kept in the channel's settings under the family's names, until it is applied.
 */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { mappedModel } from '../../../kernel/toolkit/stage/index.js'
import type { RowChange } from '../../services/channels/index.js'
import { unfit } from './answers.js'
import type { Row } from './rows.js'

const prefix = 'upstream_model_update_'
/** As many as a channel's list takes; what is kept stays small, whatever an upstream sends. */
const namesMax = 5000

export interface Difference {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/** Another admin's word: this channel is left out of runs over all. */
export function isLeftOut({ settings }: Row): boolean {
  return settings[`${prefix}check_enabled`] === false
}

/** Compares, and remembers what it found. */
export function noted(
  row: Row,
  reported: readonly string[],
  unixSeconds: number,
): RowChange<Difference> {
  const result = differenceOf(row, reported)
  const settings: JsonObject = {
    [`${prefix}last_check_time`]: unixSeconds,
    [`${prefix}last_detected_models`]: result.added,
    [`${prefix}last_removed_models`]: result.removed,
  }
  return { changes: { settings }, result }
}

/** A model under another name of the channel's own is neither new nor gone. */
function differenceOf(row: Row, reported: readonly string[]): Difference {
  const { models, model_mapping: mapping } = row
  const upstream = new Set(reported)
  const ignored = namesIn(row.settings[`${prefix}ignored_models`])
  const nameThere = (model: string) => mappedModel(mapping, model) ?? model
  const known = new Set([...models, ...models.map(nameThere), ...ignored])
  return {
    added: reported.filter((name) => !known.has(name)).slice(0, namesMax),
    removed: models.filter((model) => !upstream.has(nameThere(model)) && !ignored.has(model)),
  }
}

/** Everything that was found and is not applied yet. */
export function pending({ settings }: Row): Difference {
  return {
    added: [...namesIn(settings[`${prefix}last_detected_models`])],
    removed: [...namesIn(settings[`${prefix}last_removed_models`])],
  }
}

/** Puts found names into the channel's list and takes gone ones out. Throws for a name nobody found. */
export function applied(row: Row, wanted: Difference): RowChange<readonly string[]> {
  const found = pending(row)
  refuseUnknown(wanted.added, found.added, 'add')
  refuseUnknown(wanted.removed, found.removed, 'remove')
  const kept = row.models.filter((model) => !wanted.removed.includes(model))
  const models = [...new Set([...kept, ...wanted.added])]
  if (models.length === 0) throw unfit('A channel needs at least one model.', 'remove')
  const left = (names: readonly string[], done: readonly string[]) =>
    names.filter((name) => !done.includes(name))
  const settings: JsonObject = {
    [`${prefix}last_detected_models`]: left(found.added, wanted.added),
    [`${prefix}last_removed_models`]: left(found.removed, wanted.removed),
  }
  return { changes: { models, settings }, result: models }
}

function refuseUnknown(names: readonly string[], found: readonly string[], param: string): void {
  const unknown = names.find((name) => !found.includes(name))
  if (unknown === undefined) return
  const shown = [...unknown].slice(0, 100).join('')
  throw unfit(`The name "${shown}" is none the last check of this channel found.`, param)
}

/** A list, or its text with commas. */
function namesIn(value: Json | undefined): ReadonlySet<string> {
  const list = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : []
  const names = list.filter((name) => typeof name === 'string').map((name) => name.trim())
  return new Set(names.filter((name) => name !== ''))
}

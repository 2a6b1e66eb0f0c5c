/** The setting for regions: one for all models, or a JSON object by model with `default` for the others. */
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { ChannelView } from '../../kernel/contract/provider.js'
import { Refusal } from '../../kernel/toolkit/errors/index.js'
import { bareName } from './model.js'

const everywhere = 'global'

/** Throws `channel:address_refused` for what would be no part of a host name. */
export function regionOf({ settings }: ChannelView, model: string): string {
  const table = tableOf(settings.region)
  const names = [model, bareName(model), 'default']
  const name = names.find((one) => table !== undefined && Object.hasOwn(table, one))
  const region = name === undefined ? everywhere : table?.[name]
  if (table === undefined || !isRegion(region)) throw new Refusal('channel:address_refused')
  return region
}

export function faultOf({ region }: JsonObject): string | undefined {
  const table = tableOf(region)
  if (table === undefined) return 'The region is neither a name nor a JSON object of names.'
  const wrong = Object.keys(table).find((model) => !isRegion(table[model]))
  return wrong === undefined ? undefined : `The region of "${wrong}" is no name of a region.`
}

/** Undefined: it cannot be read. */
function tableOf(setting: Json | undefined): JsonObject | undefined {
  const written = typeof setting === 'string' ? setting.trim() : ''
  if (!written.startsWith('{')) return { default: written || everywhere }
  try {
    const value: unknown = JSON.parse(written)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isRegion(word: Json | undefined): word is string {
  return typeof word === 'string' && /^[a-z]{2,}(?:-[a-z]+\d*)*$/.test(word)
}

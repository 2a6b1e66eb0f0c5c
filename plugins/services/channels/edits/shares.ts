/** How the keys of a creation are shared out: one channel with one key, one with all, or one channel for each. */
import { Refusal } from '../../../../kernel/toolkit/errors/index.js'
import type { Creation } from './edits.js'
import { manyKeys, oneKey } from './fields/key-text.js'
import { atMost } from './keys.js'

export interface Share {
  readonly name: string
  readonly keys: readonly string[]
}

const batchMax = 1_000
const nameMax = 128
const prefixCharacters = 8

/** Throws `invalid_field`. */
export function sharesOf(creation: Creation): readonly Share[] {
  const { mode, channel } = creation
  if (mode === 'single') return [{ name: channel.name, keys: writtenKey(channel.key) }]
  const keys = writtenKeys(channel.key)
  if (keys.length === 0) refuse('The field "key" holds no key.')
  if (mode === 'multi_to_single') {
    atMost(keys.length)
    return [{ name: channel.name, keys }]
  }
  if (keys.length > batchMax) {
    refuse(`A batch makes at most ${batchMax} channels; this would make ${keys.length}.`)
  }
  return keys.map((key) => ({ name: nameOf(creation, key), keys: [key] }))
}

/** None where the field is blank or absent. Throws `invalid_field`. */
export function writtenKey(written = ''): readonly string[] {
  const key = read(written, oneKey)
  return key === '' ? [] : [key]
}

/** As above, for a channel of several. */
export function writtenKeys(written = ''): readonly string[] {
  return read(written, manyKeys)
}

function nameOf({ channel, batch_add_set_key_prefix_2_name: prefixed }: Creation, key: string) {
  if (!prefixed) return channel.name
  // Never more than a third of it: the name is for everybody's eyes.
  const prefix = key.slice(0, Math.min(prefixCharacters, Math.floor(key.length / 3)))
  return `${channel.name.slice(0, nameMax - prefixCharacters - 1)} ${prefix}`
}

function read<T>(written: string, reader: (text: string) => T): T {
  try {
    return reader(written)
  } catch (error) {
    return refuse(`The field "key" ${error instanceof Error ? error.message : 'is not valid'}.`)
  }
}

function refuse(reason: string): never {
  throw new Refusal('invalid_field', { reason, param: 'key' })
}

/** Reads the JSON text of a price option: `{name: number}`, or `{group: {name: number}}`. */
import { MapReader } from './map-reader.js'

export interface NumberEntry {
  readonly key: string
  /** As written, e.g. `1e-7`. */
  readonly number: string
}

export interface GroupEntry {
  readonly key: string
  readonly entries: readonly NumberEntry[]
}

export function readNumbers(text: string): readonly NumberEntry[] {
  const reader = new MapReader(text)
  return reader.whole((key) => ({ key, number: reader.number(key) }))
}

export function readGroups(text: string): readonly GroupEntry[] {
  const reader = new MapReader(text)
  return reader.whole((key) => ({
    key,
    entries: reader.group(key, (name) => ({ key: name, number: reader.number(name) })),
  }))
}

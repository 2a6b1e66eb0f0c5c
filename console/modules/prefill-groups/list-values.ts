/** The form of a list: one name a line; of endpoints also a JSON object of type and address. */
import type { PrefillForm, PrefillList } from '../../api/prefill-groups.js'
import { isObject, parsedJson } from '../../ui/json-text.js'

export interface ListValues {
  name: string
  items: string
  description: string
}

export function valuesOf(list: PrefillList | undefined): ListValues {
  const { name = '', items = [], description = '' } = list ?? {}
  return { name, items: textOf(items), description }
}

export function formOf({ name, items, description }: ListValues): Omit<PrefillForm, 'type'> {
  return { name: name.trim(), items: itemsOf(items) ?? [], description: description.trim() }
}

export function isEmpty(items: PrefillForm['items']): boolean {
  return Object.keys(items).length === 0
}

/** Undefined: it begins like JSON and is none. */
export function itemsOf(text: string): PrefillForm['items'] | undefined {
  const trimmed = text.trim()
  if (!/^[{[]/.test(trimmed)) return once(trimmed.split(/[\n,]/))
  const value = parsedJson(trimmed)
  if (Array.isArray(value)) return once(value.map(String))
  return isObject(value) ? value : undefined
}

function once(names: readonly string[]): readonly string[] {
  const named = names.map((name) => name.trim())
  return [...new Set(named.filter((name) => name !== ''))]
}

function textOf(items: PrefillList['items']): string {
  return Array.isArray(items) ? items.join('\n') : JSON.stringify(items, null, 2)
}

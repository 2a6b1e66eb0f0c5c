/** The form of a list: one name a line; of endpoints also a JSON object of type and address. */
import type { PrefillForm, PrefillList } from '../../api/prefill-groups.js'

export function textOf(items: PrefillList['items']): string {
  return Array.isArray(items) ? items.join('\n') : JSON.stringify(items, null, 2)
}

/** Undefined: it begins like JSON and is none. */
export function itemsOf(text: string): PrefillForm['items'] | undefined {
  const trimmed = text.trim()
  if (trimmed.startsWith('{')) return parsed(trimmed)
  const names = trimmed.split(/[\n,]/).map((name) => name.trim())
  return [...new Set(names.filter((name) => name !== ''))]
}

function parsed(text: string): PrefillForm['items'] | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

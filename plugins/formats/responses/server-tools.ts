/** Counts calls of tools the upstream ran itself, by the price table's names, from the items of an answer. */
import type { Usage } from '../../../kernel/contract/event.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { objectOf, objectsOf, textOf, unlessEmpty } from './fields.js'

export class ServerTools {
  private readonly calls = new Map<string, number>()
  private preview = false

  /** A response repeats the tools of its request: only they show which of two web searches an item is. */
  offered({ tools }: JsonObject): void {
    this.preview ||= objectsOf(tools).some(({ type }) =>
      textOf(type)?.startsWith('web_search_preview'),
    )
  }

  /** One finished item. What did not come to an end cost nothing. */
  note(item: JsonObject): void {
    const { status = 'completed' } = item
    const name = status === 'completed' ? priced(item) : undefined
    if (name !== undefined) this.calls.set(name, (this.calls.get(name) ?? 0) + 1)
  }

  /** The items of a whole response stand for all that were noted before, where it repeats them. */
  called({ output }: JsonObject): void {
    const items = objectsOf(output)
    if (items.length > 0) this.calls.clear()
    for (const item of items) this.note(item)
  }

  get counts(): Usage['serverTools'] {
    const named = [...this.calls].map(([name, calls]) => [this.nameOf(name), calls])
    return unlessEmpty(Object.fromEntries(named))
  }

  private nameOf(name: string): string {
    return name === 'web_search' && this.preview ? 'web_search_preview' : name
  }
}

function priced(item: JsonObject): string | undefined {
  switch (item.type) {
    case 'web_search_call':
      return isSearch(item) ? 'web_search' : undefined
    case 'file_search_call':
      return 'file_search'
    case 'code_interpreter_call':
      return 'code_interpreter'
    case 'image_generation_call':
      return drawing(item)
    default:
      return undefined
  }
}

/** Opening a page that was found, or looking for words in it, is no search of its own. */
function isSearch({ action }: JsonObject): boolean {
  const { type = 'search' } = objectOf(action) ?? {}
  return type === 'search'
}

/** Prices of images may go by quality and size; without both the plain name stands for all. */
function drawing({ quality, size }: JsonObject): string {
  const reported = typeof quality === 'string' && typeof size === 'string'
  return reported ? `image_generation/${quality}/${size}` : 'image_generation'
}

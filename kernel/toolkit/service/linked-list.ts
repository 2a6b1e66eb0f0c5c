/**
 * Values that come and go with requests. Not a `Set` or `Map`: their table is replaced every so often and refers to the one after it.
 * Once such a table is among long-lived objects, each later one and all in it count as alive to the collector of young objects, so that
 * whole requests are kept until the next full collection (decision 0087).
 */
export class LinkedList<Value> {
  private first: ListEntry<Value> | undefined
  private last: ListEntry<Value> | undefined

  add(value: Value): ListEntry<Value> {
    const entry: ListEntry<Value> = { value, before: this.last, after: undefined, isListed: true }
    if (this.last === undefined) this.first = entry
    else this.last.after = entry
    this.last = entry
    return entry
  }

  /** What was removed before stays so. */
  remove(entry: ListEntry<Value>): void {
    if (!entry.isListed) return
    const { before, after } = entry
    if (before === undefined) this.first = after
    else before.after = after
    if (after === undefined) this.last = before
    else after.before = before
    // It may be among long-lived objects, and must lead to none of its neighbours.
    entry.before = undefined
    entry.after = undefined
    entry.isListed = false
  }

  /** Oldest first, as they are now. */
  entries(): readonly ListEntry<Value>[] {
    const found: ListEntry<Value>[] = []
    for (let entry = this.first; entry !== undefined; entry = entry.after) found.push(entry)
    return found
  }
}

/** Where a value stands, for `remove`. */
export interface ListEntry<Value> {
  readonly value: Value
  before: ListEntry<Value> | undefined
  after: ListEntry<Value> | undefined
  isListed: boolean
}

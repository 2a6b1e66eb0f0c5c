/**
 * Lists of names as rows hold them. However many channels serve the same models, they share one set of them, and sets that differ share
 * their names: ten thousand channels of some hundred models each would be a copy of every name for each of them.
 */
import { createHash } from 'node:crypto'

export interface SharedLists {
  /** The names of a JSON array, each once, in its order. The same text gives the same set for as long as anybody has it. */
  setOf(text: string): ReadonlySet<string>
  /** Forgets the names that sets made from now on would share: what was read together is read. */
  forgetNames(): void
}

export function sharedLists(): SharedLists {
  const sets = new Map<string, WeakRef<ReadonlySet<string>>>()
  const gone = new FinalizationRegistry<string>((digest) => {
    if (sets.get(digest)?.deref() === undefined) sets.delete(digest)
  })
  let names = new Map<string, string>()

  function nameOf(read: string): string {
    const known = names.get(read)
    if (known !== undefined) return known
    names.set(read, read)
    return read
  }

  return {
    setOf(text) {
      const digest = createHash('sha256').update(text).digest('base64')
      const known = sets.get(digest)?.deref()
      if (known !== undefined) return known
      const read: readonly string[] = JSON.parse(text)
      const made = new Set(read.map(nameOf))
      sets.set(digest, new WeakRef(made))
      gone.register(made, digest)
      return made
    },
    forgetNames() {
      names = new Map()
    },
  }
}

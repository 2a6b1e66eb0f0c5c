/** Choices kept in this browser. Where it keeps nothing, as in some private windows, they last as long as the page. */
const inMemory = new Map<string, string>()

export function recall(name: string): string | undefined {
  try {
    return localStorage.getItem(keyOf(name)) ?? undefined
  } catch {
    return inMemory.get(name)
  }
}

/** False: the browser refuses it, and it is kept for this page at most. */
export function remember(name: string, value: string): boolean {
  inMemory.set(name, value)
  try {
    localStorage.setItem(keyOf(name), value)
    return true
  } catch {
    return false
  }
}

/** Calls `run` when another tab has changed it, until what is returned is called. */
export function onRemembered(name: string, run: () => void): () => void {
  const heard = ({ key }: StorageEvent) => {
    if (key === null || key === keyOf(name)) run()
  }
  addEventListener('storage', heard)
  return () => removeEventListener('storage', heard)
}

export function forget(name: string): void {
  inMemory.delete(name)
  try {
    localStorage.removeItem(keyOf(name))
  } catch {
    // There was nothing to forget.
  }
}

/** Choices that show nothing of what somebody did here. */
const looks = ['theme', 'locale', 'columns']

/** Runs what empties the storage of this browser, as signing out does; theme, language and columns outlast it. */
export async function keepingLooks(work: () => Promise<void>): Promise<void> {
  const kept = looks.map((name) => [name, recall(name)] as const)
  await work()
  for (const [name, value] of kept) if (value !== undefined) remember(name, value)
}

/** The JSON value kept under a name; undefined: none, or one that cannot be read. */
export function recallJson(name: string): unknown {
  const text = recall(name)
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function keyOf(name: string): string {
  return `waybill.${name}`
}

/** Choices kept in this browser. Where it keeps nothing, as in some private windows, they last as long as the page. */
const inMemory = new Map<string, string>()

export function recall(name: string): string | undefined {
  try {
    return localStorage.getItem(keyOf(name)) ?? undefined
  } catch {
    return inMemory.get(name)
  }
}

export function remember(name: string, value: string): void {
  inMemory.set(name, value)
  try {
    localStorage.setItem(keyOf(name), value)
  } catch {
    // Kept for this page only.
  }
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
const looks = ['theme', 'locale']

/** Runs what empties the storage of this browser, as signing out does; theme and language outlast it. */
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

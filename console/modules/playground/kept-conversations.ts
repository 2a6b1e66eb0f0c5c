/** The conversations this browser keeps for one person: an index, and the turns of each by its id. */
import { forget, recallJson, remember } from '../../shell/remembered.js'
import type { Turn } from './conversation.js'
import { readTurns, storedText } from './stored-conversation.js'

export interface KeptConversation {
  readonly id: string
  /** Empty: it is called by its first message. */
  readonly name: string
  /** The first message, cut short. */
  readonly begins: string
  /** Unix milliseconds of the last change. */
  readonly at: number
  /** Letters of its turns. */
  readonly letters: number
}

const keptMax = 50
/** Browsers keep about five million letters for a whole site. */
const lettersMax = 3_000_000
const beginsMax = 80
const nameMax = 100

/** Read anew before every change: another tab may have changed it. */
export class KeptConversations {
  constructor(private readonly person: number) {}

  /** The newest first. */
  list(): readonly KeptConversation[] {
    const stored = recallJson(this.indexPlace())
    return Array.isArray(stored) ? stored.flatMap(readKept) : []
  }

  turnsOf(id: string): readonly Turn[] {
    return readTurns(recallJson(this.turnsPlace(id)))
  }

  /** Keeps it as the newest; what exceeds the bounds is forgotten, the oldest first. One without turns is not kept. */
  keep(id: string, turns: readonly Turn[]): void {
    const all = this.list()
    const others = all.filter((one) => one.id !== id)
    const own = turns.length === 0 ? [] : [this.write(id, turns, all)]
    this.put([...own, ...others])
  }

  rename(id: string, name: string): void {
    const short = name.trim().slice(0, nameMax)
    this.put(this.list().map((one) => (one.id === id ? { ...one, name: short } : one)))
  }

  remove(id: string): void {
    this.put(this.list().filter((one) => one.id !== id))
  }

  private write(
    id: string,
    turns: readonly Turn[],
    before: readonly KeptConversation[],
  ): KeptConversation {
    const text = storedText(turns)
    remember(this.turnsPlace(id), text)
    const name = before.find((one) => one.id === id)?.name ?? ''
    return { id, name, begins: beginningOf(turns), at: Date.now(), letters: text.length }
  }

  private put(next: readonly KeptConversation[]): void {
    const before = this.list()
    const kept = withinBounds(next)
    remember(this.indexPlace(), JSON.stringify(kept))
    for (const { id } of before) {
      if (kept.every((one) => one.id !== id)) forget(this.turnsPlace(id))
    }
  }

  private indexPlace(): string {
    return `playground.conversations.${this.person}`
  }

  private turnsPlace(id: string): string {
    return `playground.conversation.${this.person}.${id}`
  }
}

/** The first is always kept. */
function withinBounds(all: readonly KeptConversation[]): readonly KeptConversation[] {
  let letters = 0
  return all.slice(0, keptMax).filter((one, at) => {
    letters += one.letters
    return at === 0 || letters <= lettersMax
  })
}

function beginningOf([first]: readonly Turn[]): string {
  return (first?.text ?? '').replace(/\s+/g, ' ').trim().slice(0, beginsMax)
}

function readKept(stored: unknown): readonly KeptConversation[] {
  if (typeof stored !== 'object' || stored === null) return []
  const { id, name, begins, at, letters } = stored as Readonly<Record<string, unknown>>
  const isKept =
    typeof id === 'string' &&
    typeof name === 'string' &&
    typeof begins === 'string' &&
    typeof at === 'number' &&
    typeof letters === 'number'
  return isKept ? [{ id, name, begins, at, letters }] : []
}

/** What is kept of an upstream's words: no key, no id of its own for the task, no large text, nothing a database refuses. */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { maskedText, safeText } from '../../../kernel/toolkit/errors/index.js'
import { persistentText, persistentTextMax } from '../../../kernel/toolkit/service/index.js'

/** Characters of one text; a picture in base64 is never wanted here. */
const textMax = 2_000
/** Characters of a text that is a result. */
const longTextMax = 65_536
const membersMax = 200
const depthMax = 12
/** Characters of the whole, written as JSON. */
const wholeMax = 32_768

/** What an upstream's words must not show. */
export interface Unshown {
  /** Keys of the call, in whatever spelling. */
  readonly secrets?: readonly string[]
  /** The upstream's own id of the task. Absent: none is known yet. */
  readonly ref?: string
  /** What stands in its place: the id its client knows. */
  readonly taskId?: string
}

export function keptAnswer(answer: Json | undefined, unshown: Unshown): JsonObject {
  const kept = isObject(answer) ? keptValue(answer, unshown, 0) : {}
  const isSmall = JSON.stringify(kept).length <= wholeMax
  return isSmall && isObject(kept) ? kept : {}
}

function keptValue(value: Json, unshown: Unshown, depth: number): Json {
  if (typeof value === 'string') return keptText(value, unshown)
  if (typeof value === 'number') return isRefNumber(value, unshown) ? unshown.taskId! : value
  if (typeof value !== 'object' || value === null) return value
  if (depth >= depthMax) return null
  if (Array.isArray(value)) {
    return value.slice(0, membersMax).map((one) => keptValue(one, unshown, depth + 1))
  }
  const members = Object.entries(value).slice(0, membersMax)
  return Object.fromEntries(
    members.map(([name, one]) => [keptText(name, unshown), keptValue(one!, unshown, depth + 1)]),
  )
}

function keptText(text: string, unshown: Unshown): string {
  if (text.length <= textMax) return persistentText(without(text, unshown))
  // No more than this is looked through, so that no key and no id is cut in two at its end.
  const beginning = without(text.slice(0, textMax), unshown)
  return `${persistentText(beginning.slice(0, 60))}…`
}

/** The secret in the address of a task's reports, wherever an upstream repeats it: whoever has it can end the task. */
const callbackSecret = /(task_[0-9A-Z]{26}(?:\/|%2F))[0-9a-f]{40}/gi

function without(text: string, unshown: Unshown): string {
  const left = maskedText(text, ...(unshown.secrets ?? [])).replace(callbackSecret, '$1***')
  return named(withoutRef(left, unshown), unshown)
}

/** What a result is made of where that is a text: its lines stay. */
export function keptLongText(text: string, unshown: Unshown): string {
  const kept = text.slice(0, longTextMax).replace(/\0/g, '')
  return without(wellFormed(kept), unshown)
}

/**
 * A sentence without keys and addresses, on one line of at most 4096 characters (API-7). An adapter may break its contract here.
 */
export function keptReason(reason: unknown, unshown: Unshown = {}): string {
  if (typeof reason !== 'string') return ''
  const masked = withoutRef(maskedText(reason, ...(unshown.secrets ?? [])), unshown)
  return persistentText(named(safeText(masked, 2 * persistentTextMax), unshown))
}

const wordMax = 64

/** The upstream's own word for a state. */
export function keptWord(word: unknown, unshown: Unshown = {}): string {
  return keptReason(keptReason(word, unshown).slice(0, wordMax))
}

/** An id shorter than this stands in ordinary words too. */
const refCharactersMin = 6
/** Stands for the id of the task until everything that looks like an id is masked. */
const place = '\ue000'

function withoutRef(text: string, unshown: Unshown): string {
  if (isRef(text, unshown)) return place
  return spellingsOf(unshown).reduce((left, one) => left.replaceAll(one, place), text)
}

function named(text: string, { taskId }: Unshown): string {
  return taskId === undefined ? text : text.replaceAll(place, () => taskId)
}

function isRef(text: string, { ref, taskId }: Unshown): boolean {
  return ref !== undefined && ref !== '' && taskId !== undefined && text === ref
}

/** A small number may count anything. */
function isRefNumber(value: number, unshown: Unshown): boolean {
  const text = String(value)
  return text.length >= refCharactersMin && isRef(text, unshown)
}

/** As it is, as it stands in an address, and of one that is a path its last part as well. Longest first. */
function spellingsOf({ ref = '', taskId }: Unshown): readonly string[] {
  if (taskId === undefined) return []
  const spelled = [encodeURIComponent(wellFormed(ref)), ref, ref.slice(ref.lastIndexOf('/') + 1)]
  return [...new Set(spelled)].filter(({ length }) => length >= refCharactersMin)
}

function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}

/** The request without its media: shown to its owner, and kept for as long as the task is. */
export function keptRequest(body: JsonObject): JsonObject {
  const { callback_url: _, ...rest } = body
  return keptAnswer(rest, {})
}

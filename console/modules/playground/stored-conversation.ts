/** The conversation as the browser keeps it: bounded, and read back without trusting what was stored. */
import { type Answer, newAnswer, type Picture, type Turn } from './conversation.js'

/** Letters; browsers keep about five million for a whole site. */
export const storedMax = 1_500_000
const turnsMax = 500

/** JSON of at most `storedMax` letters: first the pictures go, then the oldest turns. */
export function storedText(turns: readonly Turn[]): string {
  let kept = turns.slice(-turnsMax)
  const whole = JSON.stringify(kept)
  if (whole.length <= storedMax) return whole
  kept = kept.map((turn) => ({
    ...turn,
    pictures: turn.pictures.map(({ name }) => ({ name, url: '' })),
  }))
  const sizes = kept.map((turn) => JSON.stringify(turn).length + 1)
  let size = sizes.reduce((sum, one) => sum + one, 2)
  let first = 0
  while (size > storedMax) {
    size -= sizes[first]!
    first += 1
  }
  return JSON.stringify(kept.slice(first))
}

export function readTurns(stored: unknown): readonly Turn[] {
  return Array.isArray(stored) ? stored.flatMap(readTurn) : []
}

type Found = Readonly<Record<string, unknown>>

function readTurn(stored: unknown): readonly Turn[] {
  const { id, text, pictures, answers } = objectOf(stored)
  if (typeof id !== 'string' || typeof text !== 'string') return []
  const entries = Object.entries(objectOf(answers)).map(([column, one]) => [
    column,
    readAnswer(one),
  ])
  const shown = Array.isArray(pictures) ? pictures.flatMap(readPicture) : []
  return [{ id, text, pictures: shown, answers: Object.fromEntries(entries) }]
}

function readPicture(stored: unknown): readonly Picture[] {
  const { name, url } = objectOf(stored)
  return typeof name === 'string' && typeof url === 'string' ? [{ name, url }] : []
}

/** What was still running when the page went away came no further. */
function readAnswer(stored: unknown): Answer {
  const found = objectOf(stored)
  const first = newAnswer(textOf(found.model), textOf(found.group))
  const like = Object.entries(found).filter(([name, value]) => fits(first, name, value))
  const answer = { ...first, ...Object.fromEntries(like) } as Answer
  return answer.state === 'running' ? { ...answer, state: 'stopped' } : answer
}

/** Fields that may be missing, by the kind of their value. */
const optional: Readonly<Record<string, string>> = {
  ...{
    reasoningMs: 'number',
    firstMs: 'number',
    totalMs: 'number',
    usage: 'object',
    charge: 'string',
    failure: 'object',
  },
}

function fits(first: Answer, name: string, value: unknown): boolean {
  const usual: unknown = (first as unknown as Found)[name]
  if (Array.isArray(usual)) return Array.isArray(value)
  return value !== null && typeof value === (optional[name] ?? typeof usual)
}

function objectOf(value: unknown): Found {
  return typeof value === 'object' && value !== null ? (value as Found) : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

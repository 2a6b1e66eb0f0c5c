/**
 * Names each write, so that none counts twice (BILL-2). Where the answer was lost nobody knows whether it was done: who
 * sends the same again soon sends it by the same name.
 */
import { drawnKey } from './drawn-key.js'
import { ApiFailure } from './failure.js'

/** Later the same words are another wish. */
const keptMs = 120_000

const unclear = new Map<string, string>()

/** `write`: everything that makes it this write and no other. */
export async function keyed<Answer>(
  write: string,
  send: (key: string) => Promise<Answer>,
): Promise<Answer> {
  const key = unclear.get(write) ?? drawnKey()
  unclear.delete(write)
  try {
    return await send(key)
  } catch (error) {
    if (isUnclear(error)) keep(write, key)
    throw error
  }
}

function isUnclear(error: unknown): boolean {
  return !(error instanceof ApiFailure) || error.status === 0 || error.status >= 500
}

function keep(write: string, key: string): void {
  unclear.set(write, key)
  setTimeout(() => {
    if (unclear.get(write) === key) unclear.delete(write)
  }, keptMs)
}

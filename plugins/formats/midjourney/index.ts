/** Errors as clients of midjourney-proxy read them: a number of the protocol, and a sentence. */
import type { ClientError, Format } from '../../../kernel/contract/format.js'
import { errorObject, errorWords } from '../../../kernel/toolkit/task/index.js'

export default function create(): Format {
  return errorWords('midjourney', (error) => ({
    status: error.status,
    body: { code: codeOf(error), description: error.message, error: errorObject(error) },
  }))
}

/** Kinds of refusals the upstream has a number of its own for. */
const ofType: Readonly<Record<string, number>> = { queue_full: 23, banned_prompt: 24 }

const saturated = 30
const requestError = 4
const unknownError = 5

function codeOf({ status, type }: ClientError): number {
  const own = Object.hasOwn(ofType, type) ? ofType[type] : undefined
  if (own !== undefined) return own
  if (status === 429) return saturated
  return status < 500 ? requestError : unknownError
}

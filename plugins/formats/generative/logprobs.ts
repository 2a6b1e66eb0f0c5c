/** Log-probabilities between this format and the shape the chat format made common, in which they travel. */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { numberOf, objectsOf, textOf } from './fields.js'

/** Undefined where there are none. */
export function readLogprobs(result: Json | undefined): JsonObject | undefined {
  if (!isObject(result)) return undefined
  const chosen = objectsOf(result.chosenCandidates)
  const top = objectsOf(result.topCandidates)
  if (chosen.length === 0) return undefined
  const content = chosen.map((token, at) => ({
    ...readToken(token),
    top_logprobs: objectsOf(top[at]?.candidates).map(readToken),
  }))
  return { content }
}

function readToken({ token, logProbability }: JsonObject): JsonObject {
  return { token: textOf(token) ?? '', logprob: numberOf(logProbability) ?? 0, bytes: null }
}

export function writeLogprobs(reported: Json): JsonObject | undefined {
  const content = isObject(reported) ? objectsOf(reported.content) : []
  if (content.length === 0) return undefined
  return {
    chosenCandidates: content.map(writeToken),
    topCandidates: content.map(({ top_logprobs }) => ({
      candidates: objectsOf(top_logprobs).map(writeToken),
    })),
  }
}

function writeToken({ token, logprob }: JsonObject): JsonObject {
  return { token: textOf(token) ?? '', logProbability: numberOf(logprob) ?? 0 }
}

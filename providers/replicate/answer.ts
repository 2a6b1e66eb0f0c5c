/** A prediction as an answer: finished within the wait, or a failure. */

import type { Failure } from '../../kernel/contract/failure.js'
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { WholeAnswer } from '../../kernel/contract/operation.js'
import { failureOfError, Refusal } from '../../kernel/toolkit/errors/index.js'
import { replyObject } from '../../kernel/toolkit/json/index.js'
import { garbled } from '../../kernel/toolkit/operation/index.js'

export function answer({ body }: WholeAnswer) {
  const prediction = replyObject(body) ?? {}
  const { status, output } = prediction
  if (status === 'failed') return { failure: failed(prediction.error) }
  if (typeof status === 'string' && unfinished.has(status)) return { failure: notInTime() }
  const images = listOf(output).filter((item) => typeof item === 'string')
  if (images.length === 0) return { failure: garbled() }
  return { json: { ...createdAt(prediction), data: images.map(written) } }
}

/** Canceled is what ran out of the time it was given. */
const unfinished: ReadonlySet<string> = new Set(['starting', 'processing', 'canceled', 'aborted'])

/** No other channel is tried: its time is used up, and most of what it would have cost is owed. */
function notInTime(): Failure {
  const { code, message } = new Refusal('upstream_timeout', { limit: 'a prediction in 60 s' })
  return { blame: 'upstream', status: 504, code, message }
}

const aboutPrompt = /nsfw|safety|sensitive|flagged|moderat|content policy|E005/i

/** What a safety filter stopped is the request's fault; other words are of programs and of no use to a client. */
function failed(error: Json | undefined): Failure {
  const message = typeof error === 'string' ? error : ''
  return aboutPrompt.test(message)
    ? failureOfError({ message, blame: 'client' }, 400)
    : failureOfError({ blame: 'upstream' }, 500)
}

/** Some models answer with the bytes, as an address. */
function written(image: string): JsonObject {
  const [, base64] = /^data:[^,]*;base64,(.*)$/s.exec(image) ?? []
  return base64 === undefined ? { url: image } : { b64_json: base64 }
}

function listOf(output: Json | undefined): readonly Json[] {
  if (isObject(output)) return Object.values(output).filter((item) => item !== undefined)
  return Array.isArray(output) ? output : [output ?? null]
}

/** In seconds; absent where it was not reported. */
function createdAt({ created_at: created }: JsonObject): JsonObject {
  const ms = Date.parse(String(created))
  return Number.isNaN(ms) ? {} : { created: Math.floor(ms / 1000) }
}

/** Codes of the proxy's answers, and what they mean as failures. */
import type { Failure } from '../../../kernel/contract/failure.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import {
  type ErrorFields,
  failureOfError,
  nestedError,
  upstreamFailure,
} from '../../../kernel/toolkit/errors/index.js'
import { numberAt, textAt } from '../../../kernel/toolkit/task/index.js'

/** Submitted; there already, or waiting for a dialog to be filled in; in the queue. */
export const accepted: ReadonlySet<number> = new Set([1, 21, 22])

/** Nothing new was begun: the upstream named a task it has, or opened a dialog. */
export const notBegun = 21

interface Refused {
  readonly status: number
  /** As clients of this protocol learn of it. */
  readonly type?: string
}

const refusals: ReadonlyMap<number, Refused> = new Map([
  [3, { status: 400 }],
  [4, { status: 400 }],
  [5, { status: 502 }],
  [9, { status: 502 }],
  [23, { status: 429, type: 'queue_full' }],
  [24, { status: 400, type: 'banned_prompt' }],
  [30, { status: 429 }],
])

/** An answer of status 200 with a code that is none of `accepted`. */
export function failureOfCode(answer: JsonObject): Failure {
  const { status, type } = refusals.get(numberAt(answer, 'code') ?? 0) ?? { status: 502 }
  const failure = failureOfError({ ...wordsOf(answer) }, status)
  return type === undefined ? failure : { ...failure, type }
}

/** Refusals of another status have the same fields, those of gateways before it others. */
export function fail(status: number, headers: Readonly<Record<string, string>>, head: Buffer) {
  return upstreamFailure({ status, headers, head }, (body) =>
    textAt(body, 'description') === undefined ? nestedError(body) : wordsOf(body),
  )
}

function wordsOf(answer: JsonObject): ErrorFields {
  const code = textAt(answer, 'code')
  const banned = textAt(answer, 'properties.bannedWord')
  const message = textAt(answer, 'description') ?? textAt(answer, 'message')
  return {
    ...(message !== undefined && {
      message: banned === undefined ? message : `${message} (${banned})`,
    }),
    ...(code !== undefined && { code }),
  }
}

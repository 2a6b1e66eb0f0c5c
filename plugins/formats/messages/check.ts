/**
 * What a messages request must look like (FMT-1). Fields the table does not know pass; the upstream judges them. `null` in
 * an optional field means that it was not sent.
 */
import type { RequestedOptions } from '../../../kernel/contract/format.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import { invalidField, requiredModel } from '../../../kernel/toolkit/operation/index.js'

interface Rule {
  readonly field: string
  readonly required?: true
  /** Completes "`field` must be …". */
  readonly must: string
  readonly holds: (value: Json) => boolean
}

const rules: readonly Rule[] = [
  { field: 'messages', required: true, must: 'an array of at least one message', holds: isFilled },
  {
    field: 'max_tokens',
    required: true,
    must: `an integer from 1 to ${limits.tokensMax}`,
    holds: isTokenCount,
  },
  { field: 'system', must: 'a string or an array of text blocks', holds: isContent },
  { field: 'temperature', must: 'a number from 0 to 1', holds: isShare },
  { field: 'top_p', must: 'a number', holds: isNumber },
  { field: 'top_k', must: 'an integer', holds: Number.isInteger },
  { field: 'stream', must: 'true or false', holds: (value) => typeof value === 'boolean' },
  { field: 'stop_sequences', must: 'an array of strings', holds: areTexts },
]

export function check(body: JsonObject): RequestedOptions {
  const model = requiredModel(body.model)
  for (const { field, required, must, holds } of rules) {
    const value = body[field]
    if ((value === undefined || value === null) && required === undefined) continue
    if (value === undefined) throw invalidField(field, `is required: it must be ${must}`)
    if (!holds(value)) throw invalidField(field, `must be ${must}`)
  }
  checkMessages(body.messages)
  return { model, stream: body.stream === true, wantsUsage: true }
}

const roles = new Set<Json | undefined>(['user', 'assistant', 'system'])

function checkMessages(messages: Json | undefined): void {
  if (!Array.isArray(messages)) return
  for (const [index, message] of messages.entries()) {
    const place = `messages.${index}`
    if (!isObject(message)) throw invalidField(place, 'must be an object')
    if (!roles.has(message.role)) {
      throw invalidField(`${place}.role`, 'must be "user", "assistant" or "system"')
    }
    if (message.content === undefined || !isContent(message.content)) {
      throw invalidField(`${place}.content`, 'must be a string or an array of content blocks')
    }
  }
}

function isFilled(value: Json): boolean {
  return Array.isArray(value) && value.length > 0
}

function isNumber(value: Json): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function isTokenCount(value: Json): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= limits.tokensMax
}

function isShare(value: Json): boolean {
  return isNumber(value) && value >= 0 && value <= 1
}

function isContent(value: Json): boolean {
  if (typeof value === 'string') return true
  return (
    Array.isArray(value) &&
    value.every((block) => isObject(block) && typeof block.type === 'string')
  )
}

function areTexts(value: Json): boolean {
  return Array.isArray(value) && value.every((word) => typeof word === 'string')
}

/**
 * What a responses request must look like. Defaults are never filled in, fields the table does not know pass, and
 * `null` in an optional field means that it was not sent.
 */
import type { Asked } from '../../../kernel/contract/format.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { limits } from '../../../kernel/limits.js'
import { checkInput } from './check-input.js'
import { invalidField } from './invalid-field.js'

/** Throws `invalid_request` with the field in `param`. */
export function check(body: JsonObject): Asked {
  const model = checkedModel(body.model)
  checkInput(body)
  for (const { field, must, holds } of rules) {
    const value = body[field]
    if (value === undefined || value === null || holds(value)) continue
    throw invalidField(field, `must be ${must}`)
  }
  checkReasoning(body.reasoning)
  checkFormat(body.text)
  return { model, stream: body.stream === true, wantsUsage: true }
}

const modelCharactersMax = 256
/** Controls, invisible characters, lone surrogates, and what would lead elsewhere in an address (failures.md X2, X8). */
const unsafeInModel = /[\\?#%\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

function checkedModel(model: Json | undefined): string {
  if (typeof model !== 'string' || model === '') throw invalidField('model', 'must be a model name')
  if ([...model].length > modelCharactersMax) {
    throw invalidField('model', `must be at most ${modelCharactersMax} characters long`)
  }
  if (unsafeInModel.test(model) || model.split('/').some((part) => /^\.{0,2}$/.test(part))) {
    throw invalidField('model', 'holds characters that no model name has')
  }
  return model
}

interface Rule {
  readonly field: string
  /** Completes "`field` must be …". */
  readonly must: string
  readonly holds: (value: Json) => boolean
}

const rules: readonly Rule[] = [
  { field: 'instructions', must: 'a string', holds: isText },
  { field: 'max_output_tokens', must: 'a whole number', holds: isTokenCount },
  { field: 'temperature', must: 'a number from 0 to 2', holds: (value) => isBetween(value, 0, 2) },
  { field: 'top_p', must: 'a number from 0 to 1', holds: (value) => isBetween(value, 0, 1) },
  {
    field: 'top_logprobs',
    must: 'a whole number from 0 to 20',
    holds: (value) => Number.isInteger(value) && isBetween(value, 0, 20),
  },
  { field: 'tools', must: 'an array of tools with a type', holds: areTools },
  { field: 'tool_choice', must: 'a string or an object', holds: (value) => isTextOr(value) },
  { field: 'parallel_tool_calls', must: 'true or false', holds: isBoolean },
  { field: 'include', must: 'an array of strings', holds: areTexts },
  { field: 'text', must: 'an object', holds: isObject },
  { field: 'reasoning', must: 'an object', holds: isObject },
  { field: 'metadata', must: 'an object', holds: isObject },
  { field: 'user', must: 'a string', holds: isText },
  { field: 'safety_identifier', must: 'a string', holds: isText },
  { field: 'prompt_cache_key', must: 'a string', holds: isText },
  { field: 'store', must: 'true or false', holds: isBoolean },
  { field: 'background', must: 'true or false', holds: isBoolean },
  { field: 'stream', must: 'true or false', holds: isBoolean },
  { field: 'stream_options', must: 'an object', holds: isObject },
  { field: 'truncation', must: 'a string', holds: isText },
  { field: 'service_tier', must: 'a string', holds: isText },
  { field: 'previous_response_id', must: 'a string', holds: isText },
  { field: 'conversation', must: 'a string or an object', holds: (value) => isTextOr(value) },
  { field: 'prompt', must: 'an object', holds: isObject },
]

const efforts: readonly Json[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

function checkReasoning(reasoning: Json | undefined): void {
  const effort = isObject(reasoning) ? (reasoning.effort ?? null) : null
  if (effort === null || efforts.includes(effort)) return
  throw invalidField('reasoning.effort', `must be one of ${efforts.join(', ')}`)
}

function checkFormat(text: Json | undefined): void {
  const format = isObject(text) ? (text.format ?? null) : null
  if (format === null) return
  if (!isObject(format) || typeof format.type !== 'string') {
    throw invalidField('text.format', 'must be an object with a type')
  }
  if (format.type === 'json_schema' && !isObject(format.schema)) {
    throw invalidField('text.format.schema', 'must be an object')
  }
}

function isText(value: Json): boolean {
  return typeof value === 'string'
}

function isBoolean(value: Json): boolean {
  return typeof value === 'boolean'
}

function isTextOr(value: Json): boolean {
  return typeof value === 'string' || isObject(value)
}

function isBetween(value: Json, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most
}

function isTokenCount(value: Json): boolean {
  return Number.isInteger(value) && isBetween(value, 0, limits.tokensMax)
}

function areTexts(value: Json): boolean {
  return Array.isArray(value) && value.every(isText)
}

function areTools(value: Json): boolean {
  if (!Array.isArray(value)) return false
  return value.every((tool) => {
    if (!isObject(tool) || typeof tool.type !== 'string') return false
    return tool.type !== 'function' || typeof tool.name === 'string'
  })
}

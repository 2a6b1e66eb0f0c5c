/**
 * What a responses request must look like. Defaults are never filled in, fields the table does not know pass, and
 * `null` in an optional field means that it was not sent.
 */
import type { RequestedOptions } from '../../../kernel/contract/format.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import {
  areTexts,
  checkFields,
  integerFrom,
  invalidField,
  isAnObject,
  isBoolean,
  isText,
  isTextOrObject,
  numberFrom,
  type Rule,
  requiredModel,
} from '../../../kernel/toolkit/operation/index.js'
import { checkInput } from './check-input.js'

/** Throws `invalid_request` with the field in `param`. */
export function check(body: JsonObject): RequestedOptions {
  const model = requiredModel(body.model)
  checkInput(body)
  checkFields(body, rules)
  checkReasoning(body.reasoning)
  checkFormat(body.text)
  return { model, stream: body.stream === true, wantsUsage: true }
}

const rules: Readonly<Record<string, Rule>> = {
  instructions: isText,
  max_output_tokens: integerFrom(0, limits.tokensMax),
  temperature: numberFrom(0, 2),
  top_p: numberFrom(0, 1),
  top_logprobs: integerFrom(0, 20),
  tools: areTools,
  tool_choice: isTextOrObject,
  parallel_tool_calls: isBoolean,
  include: areTexts,
  text: isAnObject,
  reasoning: isAnObject,
  metadata: isAnObject,
  user: isText,
  safety_identifier: isText,
  prompt_cache_key: isText,
  store: isBoolean,
  background: isBoolean,
  stream: isBoolean,
  stream_options: isAnObject,
  truncation: isText,
  service_tier: isText,
  previous_response_id: isText,
  conversation: isTextOrObject,
  prompt: isAnObject,
}

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

function areTools(value: Json): string | undefined {
  return Array.isArray(value) && value.every(isTool)
    ? undefined
    : 'must be an array of tools with a type'
}

function isTool(tool: Json): boolean {
  if (!isObject(tool) || typeof tool.type !== 'string') return false
  return tool.type !== 'function' || typeof tool.name === 'string'
}

/**
 * What a generative request must look like. Fields the table does not know pass, and so do values only the upstream can
 * judge; both spellings of a name are read.
 */
import type { RequestedOptions, RequestHints } from '../../../kernel/contract/format.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import {
  areTexts,
  checkFields,
  integerFrom,
  isAnObject,
  isBoolean,
  isText,
  numberFrom,
  type Rule,
  requiredModel,
} from '../../../kernel/toolkit/operation/index.js'
import { checkContents } from './check-contents.js'
import { camel } from './names.js'

/** Model and streaming are given by the address. */
export function check(raw: JsonObject, hints?: RequestHints): RequestedOptions {
  const model = requiredModel(hints?.model)
  const body = camel(raw)
  checkContents(body.contents)
  checkFields(body, bodyRules)
  const { generationConfig } = body
  if (isObject(generationConfig)) {
    checkFields(camel(generationConfig), configRules, 'generationConfig.')
  }
  return { model, stream: hints?.stream === true, wantsUsage: true }
}

const bodyRules: Readonly<Record<string, Rule>> = {
  systemInstruction: isContent,
  tools: areObjects,
  toolConfig: isAnObject,
  generationConfig: isAnObject,
  safetySettings: areObjects,
  cachedContent: isText,
}

/** No real request has more; the service takes far fewer. */
const candidatesMax = 128

const isNumber: Rule = (value) => (typeof value === 'number' ? undefined : 'must be a number')
const isWhole: Rule = (value) => (Number.isInteger(value) ? undefined : 'must be a whole number')
const isCount = integerFrom(0, limits.tokensMax)

const configRules: Readonly<Record<string, Rule>> = {
  temperature: numberFrom(0, 2),
  topP: isNumber,
  topK: isNumber,
  seed: isWhole,
  presencePenalty: isNumber,
  frequencyPenalty: isNumber,
  stopSequences: areTexts,
  maxOutputTokens: isCount,
  candidateCount: integerFrom(1, candidatesMax),
  responseLogprobs: isBoolean,
  logprobs: isCount,
  responseMimeType: isText,
  responseModalities: areTexts,
  thinkingConfig: isAnObject,
}

function areObjects(value: Json): string | undefined {
  return Array.isArray(value) && value.every(isObject) ? undefined : 'must be an array of objects'
}

function isContent(value: Json): string | undefined {
  return isObject(value) && Array.isArray(value.parts) && value.parts.every(isObject)
    ? undefined
    : 'must be a content with parts'
}

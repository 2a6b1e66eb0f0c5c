/**
 * A generateContent request as documented (API reference of the v1beta service and the types of `@google/genai` 2.32,
 * November 2026). The service reads names in either case and refuses those it does not know.
 */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import {
  all,
  anything,
  type Check,
  type Faults,
  type Fields,
  fault,
  flag,
  integer,
  list,
  matching,
  number,
  object,
  place,
  type Rule,
  record,
  some,
  text,
  words,
} from './engine.js'

const toolName = matching(/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/)

/** Both cases of each name. */
function either(fields: Fields): Fields {
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return {
    ...fields,
    ...Object.fromEntries(Object.entries(fields).map(([name, one]) => [snake(name), one])),
  }
}

/** The service's messages have no required members; what must be there is stated by a rule. */
function message(fields: Fields, rule?: Rule): Check {
  return record({}, either(fields), rule)
}

function oneOf(...names: readonly string[]): Rule {
  return (value, at, faults) => {
    const there = names.filter((name) => value[name] !== undefined)
    if (there.length > 1) fault(faults, at, `holds ${there.join(' and ')}`)
  }
}

const blob = message({ mimeType: some, data: some, displayName: text })
const file = message({ mimeType: some, fileUri: some, displayName: text })

const functionCall = record(
  { name: toolName },
  either({ id: text, args: object, partialArgs: anything, willContinue: flag }),
)
const functionResponse = record(
  { name: toolName, response: object },
  either({
    id: text,
    scheduling: text,
    willContinue: flag,
    parts: list(message({ inlineData: blob, fileData: file, mediaProcessing: object })),
  }),
)

const datas = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
] as const

const part = message(
  {
    text,
    inlineData: blob,
    fileData: file,
    functionCall,
    functionResponse,
    executableCode: message({ language: text, code: text, id: text }),
    codeExecutionResult: message({ outcome: text, output: text, id: text }),
    toolCall: object,
    toolResponse: object,
    thought: flag,
    thoughtSignature: text,
    videoMetadata: object,
    mediaResolution: object,
    partMetadata: object,
    mediaProcessing: object,
    speechMetadata: object,
  },
  (value, at, faults) => {
    oneOf(...datas)(value, at, faults)
    const known = Object.keys(value).map(camel)
    if (!datas.some((name) => known.includes(name))) fault(faults, at, 'holds no data')
  },
)

const content = record({ parts: list(part, 1) }, { role: words('user', 'model') })
const instruction = record({ parts: list(part, 1) }, { role: text })

/** A schema of the service's own kind: a part of OpenAPI's, whose types are written in capitals too. */
const types = words(
  ...['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'].flatMap((word) => [
    word,
    word.toUpperCase(),
  ]),
)
const schema: Check = (value, at, faults) => ownSchema(value, at, faults)
const length = anything
const ownSchema = message({
  anyOf: list((value, at, faults) => schema(value, at, faults)),
  default: anything,
  description: text,
  enum: list(text),
  example: anything,
  format: text,
  items: (value, at, faults) => schema(value, at, faults),
  maxItems: length,
  maxLength: length,
  maxProperties: length,
  maximum: number(-Number.MAX_VALUE, Number.MAX_VALUE),
  minItems: length,
  minLength: length,
  minProperties: length,
  minimum: number(-Number.MAX_VALUE, Number.MAX_VALUE),
  nullable: flag,
  pattern: text,
  properties: (value, at, faults) => {
    if (!isObject(value)) return fault(faults, at, 'must be an object')
    for (const [name, one] of Object.entries(value)) schema(one!, place(at, name), faults)
  },
  propertyOrdering: list(text),
  required: list(text),
  title: text,
  type: types,
})

const declaration = record(
  { name: toolName },
  either({
    description: text,
    parameters: ownSchema,
    parametersJsonSchema: object,
    response: ownSchema,
    responseJsonSchema: object,
    behavior: text,
  }),
  oneOf('parameters', 'parametersJsonSchema'),
)

const served = [
  'retrieval',
  'googleMaps',
  'mcpServers',
  'codeExecution',
  'computerUse',
  'enterpriseWebSearch',
  'googleSearch',
  'googleSearchRetrieval',
  'urlContext',
  'fileSearch',
]
const tool = message({
  functionDeclarations: list(declaration, 1),
  ...Object.fromEntries(served.map((name) => [name, anything])),
})

const toolConfig = message({
  functionCallingConfig: message(
    {
      mode: words('MODE_UNSPECIFIED', 'AUTO', 'ANY', 'NONE', 'VALIDATED'),
      allowedFunctionNames: list(toolName),
      streamFunctionCallArguments: flag,
    },
    (value, at, faults) => {
      const forced = value.mode === 'ANY' || value.mode === 'VALIDATED'
      if (value.allowedFunctionNames !== undefined && !forced) {
        fault(faults, place(at, 'allowedFunctionNames'), 'needs mode ANY')
      }
    },
  ),
  retrievalConfig: object,
  includeServerSideToolInvocations: flag,
})

const thinking = message(
  {
    includeThoughts: flag,
    thinkingBudget: integer(-1, 32_768),
    thinkingLevel: words('THINKING_LEVEL_UNSPECIFIED', 'MINIMAL', 'LOW', 'MEDIUM', 'HIGH'),
  },
  oneOf('thinkingBudget', 'thinkingLevel'),
)

const config = message(
  {
    candidateCount: integer(1, 8),
    enableEnhancedCivicAnswers: flag,
    frequencyPenalty: number(-2, 2),
    imageConfig: object,
    logprobs: integer(0, 20),
    maxOutputTokens: integer(1),
    mediaResolution: text,
    presencePenalty: number(-2, 2),
    responseJsonSchema: object,
    _responseJsonSchema: object,
    responseFormat: anything,
    responseLogprobs: flag,
    responseMimeType: words('text/plain', 'application/json', 'text/x.enum'),
    responseModalities: list(words('TEXT', 'IMAGE', 'AUDIO')),
    responseSchema: ownSchema,
    seed: integer(-(2 ** 31), 2 ** 31 - 1),
    speechConfig: object,
    stopSequences: list(some, 0, 5),
    temperature: number(0, 2),
    thinkingConfig: thinking,
    topK: number(1, Number.MAX_SAFE_INTEGER),
    topP: number(0, 1),
  },
  (value, at, faults) => {
    const shaped = value.responseSchema !== undefined || value.responseJsonSchema !== undefined
    const json = value.responseMimeType ?? value.response_mime_type
    if (shaped && json !== 'application/json' && json !== 'text/x.enum') {
      fault(faults, place(at, 'responseMimeType'), 'must be application/json for a schema')
    }
    if (value.logprobs !== undefined && value.responseLogprobs !== true) {
      fault(faults, place(at, 'logprobs'), 'needs responseLogprobs')
    }
    oneOf('responseSchema', 'responseJsonSchema')(value, at, faults)
  },
)

export const generative: Check = record(
  { contents: list(content, 1) },
  either({
    model: text,
    systemInstruction: instruction,
    tools: list(tool),
    toolConfig,
    generationConfig: config,
    safetySettings: list(message({ category: text, threshold: text, method: text })),
    cachedContent: text,
    labels: object,
    serviceTier: text,
    store: flag,
  }),
  all(responsesFollowCalls),
)

function responsesFollowCalls({ contents }: JsonObject, _at: string, faults: Faults): void {
  const counts = listed(contents).map(({ parts }) => ({
    calls: listed(parts).filter((one) => (one.functionCall ?? one.function_call) !== undefined)
      .length,
    responses: listed(parts).filter((one) => {
      return (one.functionResponse ?? one.function_response) !== undefined
    }).length,
  }))
  for (const [index, { calls, responses }] of counts.entries()) {
    const at = `contents[${index}]`
    const before = counts[index - 1]?.calls ?? 0
    if (responses > 0 && before === 0) fault(faults, at, 'answers no functionCall before it')
    if (responses > 0 && responses !== before && before > 0) {
      fault(faults, at, `holds ${responses} responses to ${before} calls`)
    }
    const next = counts[index + 1]
    if (calls > 0 && next !== undefined && next.responses === 0) {
      fault(faults, at, 'is not followed by the responses to its calls')
    }
  }
}

function listed(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

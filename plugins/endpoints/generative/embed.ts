/**
 * Embeddings as generative clients ask for them: one content, or a list of requests with one each. They become a request
 * of the operation every embedding upstream is called with, and its answer the vectors these clients read.
 */
import type { Dialect, Inbound, RelayRequest } from '../../../kernel/contract/endpoint.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { generativeCredential, jsonBody } from '../../../kernel/toolkit/endpoint/index.js'
import { numberOf, objectOf, objectsOf, present } from '../../../kernel/toolkit/json/index.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import {
  checkFields,
  integerFrom,
  invalidField,
  isText,
} from '../../../kernel/toolkit/operation/index.js'

/** What the path requests. */
export type Verb = 'one' | 'many'

export function embedAsk(inbound: Inbound, verb: Verb): RelayRequest {
  const { value } = jsonBody(inbound)
  const input = verb === 'one' ? readOne(value, '') : readMany(value.requests)
  return {
    operation: 'embeddings',
    format: 'generative',
    body: { kind: 'json', value: input },
    credential: generativeCredential(inbound.client),
    hints: { model: inbound.params.model ?? '', stream: false },
    dialect: verb === 'one' ? one : many,
  }
}

function readMany(requests: Json | undefined): JsonObject {
  if (!Array.isArray(requests) || requests.length === 0) {
    throw invalidField('requests', 'must be an array of at least one request')
  }
  const read = requests.map((request, index) => {
    const place = `requests[${index}]`
    if (!isObject(request)) throw invalidField(place, 'must be an object')
    return readOne(request, `${place}.`)
  })
  const [{ input: _, ...options } = {}] = read
  for (const [index, other] of read.entries()) checkSame(other, options, `requests[${index}].`)
  return { input: read.map(({ input }) => input ?? ''), ...options }
}

/** Upstreams apply what is set for a text to all texts of a request. */
function checkSame(request: JsonObject, options: JsonObject, place: string): void {
  for (const [name, field] of Object.entries(fields)) {
    if (request[field] === options[field]) continue
    throw invalidField(`${place}${name}`, 'must be the same in all requests')
  }
}

/** This format's names of what the operation knows, or some of its upstreams do. */
const fields = {
  outputDimensionality: 'dimensions',
  taskType: 'task_type',
  title: 'title',
} as const

const rules = {
  outputDimensionality: integerFrom(1, limits.tokensMax),
  taskType: isText,
  title: isText,
}

function readOne(request: JsonObject, place: string): JsonObject {
  const inner = objectOf(request.embedContentConfig ?? request.embed_content_config)
  const reported = present({
    outputDimensionality: spelled('outputDimensionality', inner, request),
    taskType: spelled('taskType', inner, request),
    title: spelled('title', inner, request),
  })
  checkFields(reported, rules, place)
  return present<JsonObject>({
    input: textIn(request.content, `${place}content`),
    dimensions: reported.outputDimensionality,
    task_type: reported.taskType,
    title: reported.title,
  })
}

/** Both spellings are read, in the request and in its configuration; `null` is not set. */
function spelled(name: string, ...objects: readonly (JsonObject | undefined)[]): Json | undefined {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const values = objects.flatMap((object) => [object?.[name], object?.[snake]])
  return values.find((value) => value !== undefined && value !== null)
}

/** The parts of a content are one text; what is no text has no place in the operation. */
function textIn(content: Json | undefined, place: string): string {
  const parts = isObject(content) ? content.parts : content
  if (typeof parts === 'string') return parts
  const list = Array.isArray(parts) ? parts : [parts]
  const texts = list.map((part) => (isObject(part) ? part.text : part))
  if (texts.length === 0 || !texts.every((text) => typeof text === 'string')) {
    throw invalidField(place, 'must be a content whose parts are texts')
  }
  return texts.join('\n')
}

const optional = ['task_type', 'title']

const one: Dialect = {
  optional,
  answer: (body) => ({ embedding: vectorsIn(body)[0] ?? { values: [] }, ...usageOf(body) }),
}

const many: Dialect = {
  optional,
  answer: (body) => ({ embeddings: vectorsIn(body), ...usageOf(body) }),
}

/** In the order of their texts, wherever they stand. */
function vectorsIn({ data }: JsonObject): readonly JsonObject[] {
  return objectsOf(data)
    .map(({ index, embedding }, place) => ({ index: numberOf(index) ?? place, embedding }))
    .sort((left, right) => left.index - right.index)
    .map(({ embedding }) => ({ values: valuesOf(embedding) }))
}

/** Some upstreams pack their floats although nobody requested it: little-endian, 32 bits each. */
function valuesOf(embedding: Json | undefined): Json {
  if (typeof embedding !== 'string') return embedding ?? []
  const bytes = Buffer.from(embedding, 'base64')
  return Array.from({ length: bytes.length >> 2 }, (_, index) => bytes.readFloatLE(index * 4))
}

function usageOf({ usage }: JsonObject): JsonObject {
  const tokens = numberOf(objectOf(usage)?.prompt_tokens ?? objectOf(usage)?.total_tokens)
  return tokens === undefined ? {} : { usageMetadata: { promptTokenCount: tokens } }
}

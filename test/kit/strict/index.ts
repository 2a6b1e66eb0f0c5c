/**
 * A service that reads its requests as strictly as its reference is written. Which format a request has follows from its
 * path; other paths are not looked at. The answer to a faulty one is in the vendor's own words.
 */
import { isObject } from '../../../kernel/contract/json.js'
import { chat } from './chat.js'
import type { Check, Faults } from './engine.js'
import { generative } from './generative.js'
import { messages } from './messages.js'
import {
  embeddings,
  imageEdits,
  images,
  moderations,
  rerank,
  speech,
  transcriptions,
  translations,
} from './operations.js'
import { responses } from './responses.js'

type StrictFormat = 'chat' | 'messages' | 'generative' | 'responses' | 'operations'

interface Place {
  readonly path: RegExp
  readonly format: StrictFormat
  readonly check: Check
}

const places: readonly Place[] = [
  { path: /^\/v1\/chat\/completions$/, format: 'chat', check: chat },
  { path: /^\/v1\/messages$/, format: 'messages', check: messages },
  { path: /^\/v1\/responses$/, format: 'responses', check: responses },
  {
    path: /^\/v1(beta)?\/models\/[^/]+:(generateContent|streamGenerateContent)$/,
    format: 'generative',
    check: generative,
  },
  { path: /^\/v1\/embeddings$/, format: 'operations', check: embeddings },
  { path: /^\/v1\/moderations$/, format: 'operations', check: moderations },
  { path: /^\/v1\/audio\/speech$/, format: 'operations', check: speech },
  { path: /^\/v1\/images\/generations$/, format: 'operations', check: images },
  { path: /^\/v1\/images\/edits$/, format: 'operations', check: imageEdits },
  { path: /^\/v1\/audio\/transcriptions$/, format: 'operations', check: transcriptions },
  { path: /^\/v1\/audio\/translations$/, format: 'operations', check: translations },
  { path: /^\/v[12]\/rerank$/, format: 'operations', check: rerank },
]

export interface Refused {
  readonly faults: readonly string[]
  readonly status: number
  readonly body: object
}

/**
 * `body`: the fields of a JSON body or of a form, anything else where it is neither. Undefined: there is nothing wrong with
 * it, or its path is none of those that are known.
 */
export function strictly(
  path: string,
  body: unknown,
  allowed: Iterable<string> = [],
): Refused | undefined {
  const name = path.split('?')[0]!
  const place = places.find((one) => one.path.test(name))
  if (place === undefined) return undefined
  const faults: Faults = { found: [], allowed: new Set(allowed) }
  if (!isObject(body)) faults.found.push('the body is no JSON object and no form')
  else place.check(body, '', faults)
  if (faults.found.length === 0) return undefined
  return { faults: faults.found, status: 400, body: refusal(place.format, faults.found.join('; ')) }
}

function refusal(format: StrictFormat, message: string): object {
  switch (format) {
    case 'messages':
      return { type: 'error', error: { type: 'invalid_request_error', message } }
    case 'generative':
      return { error: { code: 400, message, status: 'INVALID_ARGUMENT' } }
    default:
      return { error: { message, type: 'invalid_request_error', param: null, code: null } }
  }
}

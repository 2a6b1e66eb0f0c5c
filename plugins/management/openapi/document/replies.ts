/** What comes back: the family's envelope, its refusals, and for relay paths the words of their format. */
import type { EndpointRoute } from '../../../../kernel/contract/endpoint.js'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import type { ManagementRoute } from '../../../../kernel/contract/management.js'
import type { RouteManifest } from '../../../../kernel/contract/manifest.js'
import type { FormatName } from '../../../../kernel/contract/names.js'
import { refusalCodes } from '../../../../kernel/toolkit/errors/index.js'
import { described } from './described.js'
import { responseSchema } from './json-schema.js'
import type { NamedSchemas } from './named-schemas.js'

const object = (description: string): JsonObject => ({ type: 'object', description })
const inJson = (schema: JsonObject): JsonObject => ({ 'application/json': { schema } })
const ref = (kind: 'schemas' | 'responses', name: string): JsonObject => ({
  $ref: `#/components/${kind}/${name}`,
})

const envelope = {
  success: { type: 'boolean', const: true },
  message: { type: 'string' },
} as const
const envelopeRequired = ['success', 'message', 'data'] as const

const answer: JsonObject = {
  type: 'object',
  description: 'What a management path returns. Some paths have fields beside `data`.',
  required: envelopeRequired,
  properties: {
    ...envelope,
    data: { description: 'The requested data; null where there is none.' },
  },
}

const refusal: JsonObject = {
  type: 'object',
  description: 'What a management path answers instead, beside the honest status.',
  required: ['success', 'message', 'data'],
  properties: {
    success: { type: 'boolean', const: false },
    message: { type: 'string', description: 'One sentence for the reader.' },
    code: {
      type: 'string',
      description: 'One word for scripts. Only probes of health leave it out.',
    },
    data: { type: 'null' },
    field: { type: 'string', description: 'The field at fault, where one is.' },
    error: { type: 'object', description: 'With 429: the same in the words of a relay path.' },
  },
}

/** By status; the words of a relay path are its format's. */
const refusals: Readonly<Record<string, string>> = {
  '400': 'A field is not valid; `field` names it. Nothing was changed.',
  '401': 'Nobody is signed in.',
  '403': 'The caller may not do this.',
  '404': 'There is nothing of this name for the caller.',
  '409': 'It clashes with what is there. Nothing was changed.',
  '413': 'The body is larger than this path takes.',
  '429': 'Too many requests; `Retry-After` tells how long to wait.',
  '500': 'The gateway failed.',
  '502': 'The upstream failed.',
  '503': 'The gateway cannot serve this now.',
}

/** Schemas by name: those of the management API, and body and error of each of these formats. */
export const schemasFor = (formats: readonly FormatName[]): JsonObject => ({
  Answer: answer,
  Refusal: refusal,
  ...Object.fromEntries(
    formats.flatMap((format) => [
      [
        `${format}-body`,
        object(`Free-form: what clients of the ${format} format send to this path.`),
      ],
      [`${format}-error`, object(`A refusal in the shape of the ${format} format.`)],
    ]),
  ),
})

/** With the codes a response of this status may carry. */
function refusalOf(status: number): JsonObject {
  const codes = refusalCodes(status)
  return {
    ...ref('schemas', 'Refusal'),
    properties: { code: { enum: codes } },
  }
}

export const responses: JsonObject = Object.fromEntries(
  Object.entries(refusals).map(([status, description]) => [
    `Refused${status}`,
    { description, content: inJson(refusalOf(Number(status))) },
  ]),
)

export function managementReplies(
  declared: RouteManifest,
  route: ManagementRoute,
  named: NamedSchemas,
): JsonObject {
  const reported = [...refusedStatuses(declared, route)].sort()
  return {
    '200': { description: 'Done.', content: successContent(route, named) },
    ...Object.fromEntries(reported.map((status) => [status, ref('responses', `Refused${status}`)])),
  }
}

function successContent(route: ManagementRoute, named: NamedSchemas): JsonObject {
  const { mediaType } = route
  // Bytes have no schema (OpenAPI 3.1).
  return mediaType === undefined ? inJson(successSchema(route, named)) : { [mediaType]: {} }
}

function successSchema(
  { response, beside, bare }: ManagementRoute,
  named: NamedSchemas,
): JsonObject {
  if (response === undefined) {
    return bare === true ? object('A body of its own.') : ref('schemas', 'Answer')
  }
  const data = responseSchema(response, named)
  if (bare === true) return data
  const fields = Object.entries(beside ?? {}).map(([name, field]) => {
    return [
      name,
      described(field).flags?.presence === 'optional',
      responseSchema(field, named),
    ] as const
  })
  const required = fields.flatMap(([name, isOptional]) => (isOptional ? [] : [name]))
  return {
    type: 'object',
    required: [...envelopeRequired, ...required],
    properties: {
      ...envelope,
      data,
      ...Object.fromEntries(fields.map(([name, , field]) => [name, field])),
    },
  }
}

function refusedStatuses(
  { method, path, credential, body, limiter }: RouteManifest,
  { query, params, body: fields, failureStatuses = [] }: ManagementRoute,
): ReadonlySet<string> {
  const statuses = new Set(['503', ...failureStatuses.map(String)])
  if (query !== undefined || params !== undefined || fields !== undefined) statuses.add('400')
  if (credential !== 'none') statuses.add('401').add('403')
  // A foreign page may not sign its visitor in.
  if (body === 'json') statuses.add('403').add('413')
  if (body === 'form' || body === 'raw') statuses.add('413')
  if (path.includes('{') || body !== 'none') statuses.add('404')
  if (method !== 'GET') statuses.add('409')
  if (limiter !== 'none') statuses.add('429')
  return statuses
}

export function relayReplies(format: FormatName, kind: EndpointRoute['kind']): JsonObject {
  const refused = inJson(ref('schemas', `${format}-error`))
  return {
    ...answered[kind],
    default: { description: 'A refusal or a failure.', content: refused },
  }
}

const whole = inJson(object('Free-form.'))

const answered: Readonly<Record<EndpointRoute['kind'], JsonObject>> = {
  answer: { '200': { description: 'The answer.', content: whole } },
  relay: {
    '200': {
      description: 'The answer of the upstream; as events where the request asks for them.',
      content: { ...whole, 'text/event-stream': { schema: { type: 'string' } } },
    },
  },
  stream: {
    '200': {
      description: 'The bytes.',
      content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
    },
    '206': { description: 'The stretch that was requested.' },
    '416': { description: 'There is no such stretch.' },
  },
  socket: { '101': { description: 'The WebSocket is open.' } },
}

export function relayBody(format: FormatName): JsonObject {
  return ref('schemas', `${format}-body`)
}

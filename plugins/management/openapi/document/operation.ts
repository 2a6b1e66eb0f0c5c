/** One route as an OpenAPI operation: a management route described by its schemas, a relay route by its format. */
import type { JsonObject } from '../../../../kernel/contract/json.js'
import type { LoadedRoute, ManagementRoute } from '../../../../kernel/contract/management.js'
import type { RouteManifest } from '../../../../kernel/contract/manifest.js'
import { requiredScope } from '../../../../kernel/toolkit/management/index.js'
import { ranks, security } from './credentials.js'
import { jsonSchema } from './json-schema.js'
import type { NamedSchemas } from './named-schemas.js'
import { pathParameters, queryParameters } from './parameters.js'
import type { PathForm } from './path-form.js'
import { managementReplies, relayBody, relayReplies } from './replies.js'

interface OperationDetails {
  readonly form: PathForm
  readonly id: string
  readonly named: NamedSchemas
}

export function operation(loaded: LoadedRoute, { form, id, named }: OperationDetails): JsonObject {
  const { manifest, declared, management } = loaded
  const { credential, format, summary, limiter } = declared
  return {
    operationId: id,
    tags: [manifest.title],
    ...(summary !== undefined && { summary }),
    security: security(credential, format),
    ...(ranks[credential] > 0 && { 'x-role': credential }),
    'x-limiter': limiter,
    ...(management === undefined
      ? relayed(loaded, form)
      : managed(declared, management, { form, named })),
  }
}

/** What an access token needs; `all` where the manifest names none. */
function scopeOf(declared: RouteManifest): JsonObject {
  return ranks[declared.credential] > 0 ? { 'x-scope': requiredScope(declared) ?? 'all' } : {}
}

function managed(
  declared: RouteManifest,
  route: ManagementRoute,
  { form, named }: Pick<OperationDetails, 'form' | 'named'>,
): JsonObject {
  const { params, query, body } = route
  return {
    ...scopeOf(declared),
    ...parameters([...pathParameters(form, params), ...queryParameters(query)]),
    ...requestBody(declared, {
      // No body at all is read as an empty object.
      required: body === undefined || body.validate({}).error !== undefined,
      schema: body === undefined ? anything : jsonSchema(body, named),
    }),
    responses: managementReplies(declared, route, named),
  }
}

function relayed({ declared, endpoint }: LoadedRoute, form: PathForm): JsonObject {
  const { format = 'chat' } = declared
  return {
    description: `Refusals take the shape of the ${format} format.`,
    ...parameters(pathParameters(form, undefined)),
    ...requestBody(declared, { required: true, schema: relayBody(format) }),
    responses: relayReplies(format, endpoint?.kind ?? 'answer'),
  }
}

const anything: JsonObject = { type: 'object' }

function parameters(all: readonly JsonObject[]): JsonObject {
  return all.length === 0 ? {} : { parameters: all }
}

interface Taken {
  readonly required: boolean
  readonly schema: JsonObject
}

function requestBody({ body, maxBytes }: RouteManifest, { required, schema }: Taken): JsonObject {
  const type = mediaTypes[body]
  if (type === undefined) return {}
  const description = maxBytes === undefined ? {} : { description: `At most ${maxBytes} bytes.` }
  return { requestBody: { required, ...description, content: { [type]: { schema } } } }
}

const mediaTypes: Readonly<Partial<Record<RouteManifest['body'], string>>> = {
  json: 'application/json',
  form: 'multipart/form-data',
  raw: 'application/octet-stream',
}

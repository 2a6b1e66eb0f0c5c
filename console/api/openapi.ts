/** The OpenAPI document (3.1) of the gateway, as far as the reference page reads it. It holds what the reader may call. */
import { requestWhole } from './request.js'

export interface OpenApiDocument {
  readonly info: {
    readonly title: string
    readonly version: string
    readonly description?: string
  }
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
    readonly [kind: string]: Readonly<Record<string, unknown>>
  }
}

export interface OpenApiOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary?: string
  readonly description?: string
  /** One of these is sufficient; none: anyone may call. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  /** Least role that may call. */
  readonly 'x-role'?: string
  /** Scope an access token needs. */
  readonly 'x-scope'?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Body & { readonly required?: boolean }
  /** By status code, or `default`. */
  readonly responses: Readonly<Record<string, Body>>
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required?: boolean
  readonly deprecated?: boolean
  readonly description?: string
  readonly schema?: Schema
  readonly example?: unknown
}

export interface Body {
  readonly description?: string
  /** By media type. */
  readonly content?: Readonly<Record<string, MediaType>>
}

export interface MediaType {
  readonly schema?: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>
}

export interface SecurityScheme {
  readonly type: string
  readonly in?: 'header' | 'query' | 'cookie'
  readonly name?: string
  readonly scheme?: string
  readonly description?: string
}

/** JSON Schema 2020-12. References are resolved before it is shown. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly deprecated?: boolean
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly prefixItems?: readonly Schema[]
  readonly additionalProperties?: boolean | Schema
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly example?: unknown
  readonly examples?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

export const documentPath = '/api/openapi.json'

/** The document has no envelope: all of it stands beside `data`. */
export async function readOpenApi(signal?: AbortSignal): Promise<OpenApiDocument> {
  const { beside } = await requestWhole('GET', documentPath, { signal })
  return beside as unknown as OpenApiDocument
}

/** The operations of an OpenAPI document as a list that can be searched. */
import type { OpenApiDocument, OpenApiOperation, Parameter, Schema } from '../../api/openapi.js'
import { resolved } from './resolve.js'

export interface Operation extends OpenApiOperation {
  /** In capitals. */
  readonly method: string
  readonly path: string
  readonly area: string
  /** What a search looks through, in small letters. */
  readonly searched: string
}

export interface Area {
  readonly name: string
  readonly operations: readonly Operation[]
}

/** In the order of the document, references resolved. */
export function operationsOf(document: OpenApiDocument): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, declared]) => {
      const operation = resolved(document, declared)
      const area = operation.tags[0] ?? ''
      const searched = searchedIn(operation, [method, path, area])
      return { ...operation, method: method.toUpperCase(), path, area, searched }
    }),
  )
}

/** Grouped by area, those of the management API and of the relay as the document orders them. */
export function areasOf(operations: readonly Operation[]): readonly Area[] {
  const areas = new Map<string, Operation[]>()
  for (const operation of operations) {
    const known = areas.get(operation.area)
    if (known === undefined) areas.set(operation.area, [operation])
    else known.push(operation)
  }
  return [...areas].map(([name, found]) => ({ name, operations: found }))
}

/** Every word has to occur; an empty text fits everything. */
export function fits({ searched }: Operation, text: string): boolean {
  const words = text.trim().toLowerCase().split(/\s+/)
  return words.every((word) => searched.includes(word))
}

function searchedIn(operation: OpenApiOperation, words: readonly string[]): string {
  const { operationId, summary = '', description = '', parameters = [] } = operation
  const fields = bodySchemas(operation).flatMap(({ properties = {} }) => Object.keys(properties))
  const names = parameters.map(({ name }: Parameter) => name)
  const scope = operation['x-scope'] ?? ''
  return [...words, operationId, summary, description, scope, ...names, ...fields]
    .join(' ')
    .toLowerCase()
}

function bodySchemas({ requestBody }: OpenApiOperation): readonly Schema[] {
  return Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => schema ?? [])
}

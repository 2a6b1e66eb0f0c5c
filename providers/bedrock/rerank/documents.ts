/** The documents of a ranking, and the ranking in the form clients know. */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { notExpressible } from '../../../kernel/toolkit/errors/index.js'

export function documentsOf({ documents }: JsonObject): readonly Json[] {
  return Array.isArray(documents) ? documents : []
}

export function queryOf({ query }: JsonObject): string {
  if (typeof query !== 'string') throw notExpressible('query')
  return query
}

/** A document of several fields as YAML, which Cohere recommends; JSON values are YAML. */
export function documentText(document: Json): string {
  const plain = plainText(document)
  if (plain !== undefined) return plain
  const fields = Object.entries(fieldsOf(document))
  return fields.map(([field, value]) => `${field}: ${JSON.stringify(value)}`).join('\n')
}

/** Undefined: the document has other fields than its text. */
export function plainText(document: Json): string | undefined {
  if (typeof document === 'string') return document
  const { text, ...more } = fieldsOf(document)
  return typeof text === 'string' && Object.keys(more).length === 0 ? text : undefined
}

/** Pictures are not read. */
export function fieldsOf(document: Json): JsonObject {
  if (!isObject(document) || document.image !== undefined) throw notExpressible('documents')
  return document
}

export function rankingOf(
  requested: JsonObject,
  model: string,
  ranked: readonly { readonly index: Json | undefined; readonly score: Json | undefined }[],
): JsonObject {
  const { return_documents: wanted } = requested
  const texts = wanted === true ? documentsOf(requested).map(documentText) : undefined
  const results = ranked.map(({ index, score }) => {
    const text = texts?.[Number(index)]
    return {
      index: index ?? null,
      relevance_score: score ?? null,
      ...(text !== undefined && { document: { text } }),
    }
  })
  return { model, results }
}

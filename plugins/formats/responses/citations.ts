/**
 * Annotations of a text. A cited page is written flat here and nested in the chat format, whose shape citations travel
 * in; citations of other formats that name a page become one that spans the text they stand with.
 */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { defined, objectOf, textOf } from './fields.js'

export function readAnnotation(annotation: Json): Json {
  if (!isObject(annotation) || annotation.type !== 'url_citation') return annotation
  const { type, url_citation: nested, ...cited } = annotation
  return nested === undefined ? { type, url_citation: cited } : annotation
}

const ownTypes: ReadonlySet<Json | undefined> = new Set([
  'url_citation',
  'file_citation',
  'container_file_citation',
  'file_path',
])

/** Undefined: the citation is not in a shape this format shares. */
export function writeAnnotation(citation: Json): JsonObject | undefined {
  if (!isObject(citation) || !ownTypes.has(citation.type)) return undefined
  const nested = objectOf(citation.url_citation)
  return nested === undefined ? citation : { type: 'url_citation', ...nested }
}

/** The page another format's citation names, cited for the whole of a text of this length. */
export function spanningAnnotation(citation: Json, length: number): JsonObject | undefined {
  const { url, title } = isObject(citation) ? citation : {}
  if (typeof url !== 'string') return undefined
  return defined<JsonObject>({
    type: 'url_citation',
    start_index: 0,
    end_index: length,
    url,
    title: textOf(title) ?? '',
  })
}

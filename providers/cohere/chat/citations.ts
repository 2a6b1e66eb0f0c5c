/** Citations whose source has an address, in the words of the chat format. Others point into what the client sent. */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { countOf, objectOf } from '../../../kernel/toolkit/operation/index.js'

/** Of one citation, or of a list of them. */
export function urlCitations(reported: Json | undefined): JsonObject[] {
  const citations = Array.isArray(reported) ? reported : [reported]
  return citations.filter(isObject).flatMap((citation) => {
    const sources = Array.isArray(citation.sources) ? citation.sources.filter(isObject) : []
    return sources.flatMap((source) => urlCitation(citation, source))
  })
}

function urlCitation({ start, end }: JsonObject, source: JsonObject): JsonObject[] {
  const { url, title } = objectOf(source.document) ?? objectOf(source.tool_output) ?? {}
  if (typeof url !== 'string' || url === '') return []
  const place = { start_index: countOf(start) ?? 0, end_index: countOf(end) ?? 0 }
  const name = typeof title === 'string' ? title : ''
  return [{ type: 'url_citation', url_citation: { ...place, url, title: name } }]
}

/**
 * Where an answer comes from: this format keeps it apart from the text, by places counted in bytes; chat sends it as
 * annotations, by places counted in characters. Citations travel as the latter, which is what most clients read.
 */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { numberOf, objectOf, objectsOf, present, someText } from './fields.js'

/** The citations of one candidate. `text` is all of its text so far, thoughts excluded. */
export function readCitations(candidate: JsonObject, text: string): JsonObject[] {
  return [
    ...grounded(objectOf(candidate.groundingMetadata) ?? {}, text),
    ...recited(objectOf(candidate.citationMetadata) ?? {}, text),
  ]
}

function grounded(metadata: JsonObject, text: string): JsonObject[] {
  const sources = objectsOf(metadata.groundingChunks).map(sourceOf)
  const supports = objectsOf(metadata.groundingSupports)
  if (supports.length === 0) {
    return sources.flatMap((source) => (source ? [annotation(source, 0, text.length)] : []))
  }
  return supports.flatMap(({ segment, groundingChunkIndices }) => {
    const place = placeOf(objectOf(segment) ?? {}, text)
    const indices = Array.isArray(groundingChunkIndices) ? groundingChunkIndices : []
    return indices.flatMap((index) => {
      const source = typeof index === 'number' ? sources[index] : undefined
      return source === undefined ? [] : [annotation(source, place.from, place.to)]
    })
  })
}

interface Source {
  readonly url: string
  readonly title: string
}

function sourceOf({ web, retrievedContext, maps }: JsonObject): Source | undefined {
  const reported = objectOf(web) ?? objectOf(retrievedContext) ?? objectOf(maps) ?? {}
  const url = someText(reported.uri)
  return url === undefined ? undefined : { url, title: someText(reported.title) ?? '' }
}

function recited({ citationSources, citations }: JsonObject, text: string): JsonObject[] {
  return objectsOf(citationSources ?? citations).flatMap((reported) => {
    const url = someText(reported.uri)
    if (url === undefined) return []
    const { from, to } = placeOf(reported, text)
    return [annotation({ url, title: someText(reported.title) ?? '' }, from, to)]
  })
}

/** Bytes as characters; the segment's own text corrects a place that is counted within another part. */
function placeOf(segment: JsonObject, text: string): { from: number; to: number } {
  const bytes = Buffer.from(text, 'utf8')
  const charsUpTo = (count: number) => bytes.toString('utf8', 0, count).length
  const from = charsUpTo(numberOf(segment.startIndex) ?? 0)
  const words = someText(segment.text)
  if (words === undefined) return { from, to: charsUpTo(numberOf(segment.endIndex) ?? 0) }
  const found = text.startsWith(words, from) ? from : text.indexOf(words)
  return found === -1 ? { from: 0, to: text.length } : { from: found, to: found + words.length }
}

function annotation({ url, title }: Source, start_index: number, end_index: number): JsonObject {
  return { type: 'url_citation', url_citation: { start_index, end_index, url, title } }
}

/** The fields of any format's citation that this one has; without a position the citation covers its whole part. */
export interface Cited extends Source {
  readonly from?: number
  readonly to?: number
}

export function citedIn(citation: Json): Cited | undefined {
  if (!isObject(citation)) return undefined
  const reported = objectOf(citation.url_citation) ?? citation
  const url = someText(reported.url)
  if (url === undefined) return undefined
  return present<Cited>({
    url,
    title: someText(reported.title) ?? '',
    from: numberOf(reported.start_index),
    to: numberOf(reported.end_index),
  })
}

/** The metadata that expresses the same about `text`. */
export function writeGrounding(
  cited: readonly (Source & { readonly from: number; readonly to: number })[],
  text: string,
): JsonObject {
  const urls = [...new Set(cited.map(({ url }) => url))]
  const titles = new Map(cited.map(({ url, title }) => [url, title]))
  const segments = new Map<string, { segment: JsonObject; groundingChunkIndices: number[] }>()
  for (const { url, from, to } of cited) {
    const key = `${from}-${to}`
    const support = segments.get(key) ?? {
      segment: segmentOf(text, from, to),
      groundingChunkIndices: [],
    }
    const index = urls.indexOf(url)
    if (!support.groundingChunkIndices.includes(index)) support.groundingChunkIndices.push(index)
    segments.set(key, support)
  }
  return {
    groundingChunks: urls.map((uri) => ({ web: { uri, title: titles.get(uri) ?? '' } })),
    groundingSupports: [...segments.values()],
  }
}

function segmentOf(text: string, from: number, to: number): JsonObject {
  const bytesUpTo = (chars: number) => Buffer.byteLength(text.slice(0, chars), 'utf8')
  return { startIndex: bytesUpTo(from), endIndex: bytesUpTo(to), text: text.slice(from, to) }
}

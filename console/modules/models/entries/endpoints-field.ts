/** What a model can be called for, as the form edits it: a list of types, or a document with addresses. */
import { isObject, parsedJson } from '../../../ui/json-text.js'

/** The family's words. */
export const endpointTypes = [
  'openai',
  'openai-response',
  'openai-response-compact',
  'anthropic',
  'gemini',
  'embeddings',
  'jina-rerank',
  'image-generation',
  'vendor-alpha-search',
] as const

export interface Endpoints {
  /** With addresses of its own: then `text` holds the document. */
  readonly own: boolean
  readonly types: readonly string[]
  readonly text: string
}

export function endpointsOf(text: string): Endpoints {
  const value = parsed(text)
  if (value === undefined || Array.isArray(value)) {
    return { own: false, types: (value ?? []).map(String), text: '' }
  }
  return { own: true, types: [], text: JSON.stringify(value, null, 2) }
}

export function endpointsText({ own, types, text }: Endpoints): string {
  if (own) return text.trim()
  return types.length === 0 ? '' : JSON.stringify(types)
}

export function endpointTypesIn(text: string): readonly string[] {
  const value = parsed(text)
  return Array.isArray(value) ? value.map(String) : Object.keys(value ?? {})
}

function parsed(text: string): unknown[] | Readonly<Record<string, unknown>> | undefined {
  const value = parsedJson(text)
  return Array.isArray(value) || isObject(value) ? value : undefined
}

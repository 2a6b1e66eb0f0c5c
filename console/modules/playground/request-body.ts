/** The body of a request, and the same as a command for a shell. */
import type { WireMessage } from './conversation.js'
import { sentParameters } from './parameters.js'
import type { Settings } from './settings.js'

export type RequestBody = Readonly<Record<string, unknown>>

export function requestBody(
  { group, stream, parameters }: Settings,
  model: string,
  messages: readonly WireMessage[],
): RequestBody {
  return {
    model,
    ...(group !== '' && { group }),
    messages,
    stream,
    ...(stream && { stream_options: { include_usage: true } }),
    ...sentParameters(parameters),
  }
}

/** With a key in place of the session. The group goes by the key's own routing there. */
export function curlOf(body: RequestBody, address: string): string {
  const { group: _, ...rest } = body
  const json = JSON.stringify(rest, null, 2).replaceAll("'", "'\\''")
  return [
    `curl ${address.replace(/\/+$/, '')}/v1/chat/completions \\`,
    '  -H "Authorization: Bearer $API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '${json}'`,
  ].join('\n')
}

const dataUrl = /(data:[\w/+.-]+;base64,)([A-Za-z0-9+/=]{64})[A-Za-z0-9+/=]+/g

/** For the eye: pictures in a text are cut short. */
export function shortened(text: string): string {
  return text.replace(dataUrl, '$1$2…')
}

export function modelIn(body: string): string {
  const { model } = objectIn(body) ?? {}
  return typeof model === 'string' ? model : ''
}

/** The last user message in a body written by hand. */
export function lastWords(body: string): string {
  const { messages } = objectIn(body) ?? {}
  const last = Array.isArray(messages) ? (messages as readonly unknown[]).at(-1) : undefined
  const content = (last as { readonly content?: unknown } | null | undefined)?.content
  if (!Array.isArray(content)) return typeof content === 'string' ? content : ''
  return (content as readonly { readonly text?: unknown }[])
    .map((part) => (typeof part?.text === 'string' ? part.text : ''))
    .join('')
}

/** The JSON object a text is; undefined: it is none. */
export function objectIn(text: string): RequestBody | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as RequestBody) : undefined
  } catch {
    return undefined
  }
}

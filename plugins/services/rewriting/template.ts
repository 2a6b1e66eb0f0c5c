/** Values of headers with placeholders: `{api_key}` and `{client_header:NAME}`. Any other brace is a plain character. */
import { type ClientHeaders, clientHeader, isSecret, isSendable } from './header-rules.js'

interface TemplateContext {
  readonly key?: string
  readonly clientHeaders: ClientHeaders
}

/** Undefined: a header the client did not send, or a value that cannot be sent. */
export type Template = (context: TemplateContext) => string | undefined

const placeholder = /\{(api_key|client_header:[^{}]*)\}/

/** Throws an `Error` whose message goes on after what it is the value of. `key`: the channel's key is known there. */
export function readTemplate(text: string, key: boolean): Template {
  const pieces = text
    .split(placeholder)
    .map((piece, at) => (at % 2 === 0 ? piece : slot(piece, key)))
  if (!pieces.every((piece) => typeof piece !== 'string' || isSendable(piece))) {
    throw new Error('has a value that no header can carry')
  }
  return (context) => {
    let filled = ''
    for (const piece of pieces) {
      const part = typeof piece === 'string' ? piece : piece(context)
      if (part === undefined) return undefined
      filled += part
    }
    const value = filled.trim()
    return isSendable(value) ? value : undefined
  }
}

function slot(name: string, key: boolean): Template {
  if (name === 'api_key') {
    if (!key) throw new Error('has the placeholder {api_key}, which only header documents know')
    return (context) => context.key
  }
  const header = name.slice('client_header:'.length).trim().toLowerCase()
  if (header === '') throw new Error('has a placeholder that names no header')
  if (isSecret(header))
    throw new Error(`takes the client's header "${header}", which is never read`)
  return ({ clientHeaders }) => clientHeader(clientHeaders, header)
}

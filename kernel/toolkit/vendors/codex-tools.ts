/**
 * Tools that only the maker of the responses format knows: free text, a search for tools, namespaces, and tools that are
 * declared in the conversation. Services that speak the format refuse them or pass over them; in other formats each is a
 * function, so such a request is converted.
 */
import type { Call } from '../../contract/call.js'
import type { FormatName } from '../../contract/names.js'

/** For `Adapter.serves` of the responses format: whether the service can be asked in it. */
export function knowsTools(
  client: FormatName | undefined,
  call: (() => Call) | undefined,
): boolean {
  return client !== 'responses' || call === undefined || !holdsOwnTools(call())
}

function holdsOwnTools({ tools, only }: Call): boolean {
  if (only?.responses?.declarations !== undefined) return true
  return tools.some((tool) => {
    const left = tool.kind === 'function' ? tool.only?.responses : undefined
    return left?.type !== undefined || left?.namespace !== undefined
  })
}

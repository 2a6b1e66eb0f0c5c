/**
 * The proxy of a channel. Its credentials are a secret: the whole address is sealed beside a form of it that anybody
 * may see, and an address sent in that form keeps them.
 */
import type { JsonObject } from '../../../../../kernel/contract/json.js'

/** Member of `setting` that holds the whole address, sealed; never taken from a client, never shown. */
export const sealedProxy = 'proxy_sealed'

/** `written` as it is stored. `stored` is the setting so far. */
export function storedProxy(
  written: string,
  stored: JsonObject,
  seal: (address: string) => string,
): JsonObject {
  if (written === '') return {}
  const url = new URL(written)
  const shown = shownProxy(url, url.username)
  if (url.password !== '') return { proxy: shown, [sealedProxy]: seal(written) }
  const kept = stored[sealedProxy]
  if (shown === stored.proxy && kept !== undefined) return { proxy: shown, [sealedProxy]: kept }
  // Some proxies take a token for their user: one that stands alone is a secret too.
  if (url.username !== '') return { proxy: shownProxy(url, ''), [sealedProxy]: seal(written) }
  return { proxy: shown }
}

function shownProxy({ protocol, host }: URL, user: string): string {
  return `${protocol}//${user === '' ? '' : `${user}@`}${host}`
}

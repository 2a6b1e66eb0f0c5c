/** What a place sent the browser back with: fields of the address, or fields it signed and put behind the `#`. */
import type { Brought } from '../../../api/oauth.js'

/** Telegram's, which go to the gateway as they are. */
const signed = /[#&]tgAuthResult=([^&]+)/

export function broughtBy({ search, hash }: Pick<URL, 'search' | 'hash'>): Brought {
  const fields = Object.fromEntries(new URLSearchParams(search))
  const [, text] = signed.exec(hash) ?? []
  return text === undefined ? fields : { ...fields, tgAuthResult: text }
}

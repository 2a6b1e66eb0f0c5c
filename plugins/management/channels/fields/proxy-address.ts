/** The address of a channel's proxy, as an admin writes it. */

const addressMax = 2_048

/** Throws an `Error` whose message goes on after the field's name. "" for none. */
export function proxyAddress(value: unknown): string {
  if (typeof value !== 'string') throw new Error('holds a proxy that is no address')
  const text = value.trim()
  if (text === '') return ''
  const url = URL.canParse(text) && text.length <= addressMax ? new URL(text) : undefined
  const plain = url !== undefined && /^\/?$/.test(url.pathname) && url.search + url.hash === ''
  if (!plain || url.hostname === '' || !/^(?:https?|socks5):$/.test(url.protocol)) {
    throw new Error('holds a proxy that is no http, https or socks5 address')
  }
  return text
}

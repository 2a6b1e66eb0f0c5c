/** Address of an upstream, as a channel names it. */

/** http or https, without credentials; "" for the provider's own. Throws what is wrong with it. */
export function address(value: unknown): string {
  if (typeof value !== 'string') throw new Error('must be an address')
  const text = value.trim()
  // A word in its place stands for addresses only the provider knows, such as those of a plan.
  if (text === '' || /^[a-z]+(?:-[a-z]+)+$/.test(text)) return text
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new Error('must be an http or https address')
  }
  if (url.username !== '' || url.password !== '') throw new Error('must not hold credentials')
  if (text.includes('#')) throw new Error('must not hold a fragment')
  return text
}

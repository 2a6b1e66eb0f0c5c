/** Media written into an address: `data:<type>;base64,<bytes>`. */

/** Undefined for any other address, and for data that is not base64. */
export function dataUrl(
  url: string,
): { readonly base64: string; readonly mime: string } | undefined {
  const comma = url.indexOf(',')
  if (!url.startsWith('data:') || comma === -1) return undefined
  const head = url.slice('data:'.length, comma)
  if (!head.endsWith(';base64')) return undefined
  const mime = head.slice(0, -';base64'.length)
  return { base64: url.slice(comma + 1), mime: mime === '' ? 'application/octet-stream' : mime }
}

export function writeDataUrl({ base64, mime }: { base64: string; mime: string }): string {
  return `data:${mime};base64,${base64}`
}

/** Chat clients the operator offers beside a key: addresses with places for the key and the gateway's own address. */

export interface ClientLink {
  readonly name: string
  readonly template: string
}

/** A list of `{name: address}`, as the option `Chats` holds it. Whatever would run here instead of opening a client is left out. */
export function linksOf(chats: unknown): readonly ClientLink[] {
  if (!Array.isArray(chats)) return []
  return chats.flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return []
    return Object.entries(entry).flatMap(([name, template]: [string, unknown]) =>
      typeof template === 'string' && isOpenable(template) ? [{ name, template }] : [],
    )
  })
}

export function filled({ template }: ClientLink, key: string, address: string): string {
  return template
    .replaceAll('{key}', encodeURIComponent(key))
    .replaceAll('{address}', encodeURIComponent(address))
}

const closed: ReadonlySet<string> = new Set(['javascript:', 'data:', 'vbscript:', 'blob:', 'file:'])

function isOpenable(template: string): boolean {
  const sample = filled({ name: '', template }, 'k', 'a')
  return URL.canParse(sample) && !closed.has(new URL(sample).protocol)
}

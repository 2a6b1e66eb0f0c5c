/** Looks for secrets in texts, in the spellings they may have taken on their way. */

/** Of each place, which secret it holds and what stands around it. */
export type Search = (places: Iterable<readonly [place: string, text: string]>) => readonly string[]

export function searchFor(
  secrets: () => Iterable<readonly [name: string, secret: string]>,
): Search {
  return (places) => {
    const tales = [...secrets()].flatMap(([name, secret]) =>
      tellTales(secret).map((tale) => [name, tale] as const),
    )
    const found = new Set<string>()
    for (const [place, text] of places) {
      for (const [name, tale] of tales) {
        const at = text.indexOf(tale)
        if (at < 0) continue
        found.add(`${place} holds ${name}: ${text.slice(Math.max(0, at - 100), at + 60)}`)
      }
    }
    return [...found]
  }
}

const halvedMin = 12

/**
 * The later half of a secret, so that one that was cut is found too, and what may be seen of its beginning is not; of a
 * short one all of it.
 */
function tellTales(secret: string): readonly string[] {
  const half = secret.length < halvedMin ? secret : secret.slice(Math.ceil(secret.length / 2))
  const spelt = [half, encodeURIComponent(half), JSON.stringify(half).slice(1, -1)]
  const base64 = [secret, `Bearer ${secret}`].map((text) => Buffer.from(text).toString('base64'))
  return [...new Set([...spelt, ...base64])]
}

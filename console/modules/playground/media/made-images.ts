/** What a model of images returned at once, as the page shows it. */

export interface MadeImage {
  /** A data URL, or an address elsewhere, which pages may only link to. */
  readonly url: string
  readonly isHere: boolean
}

export interface MadeImages {
  readonly id: string
  readonly model: string
  readonly prompt: string
  readonly images: readonly MadeImage[]
}

/** Of an answer of `/v1/images/generations`. */
export function imagesIn(answer: unknown): readonly MadeImage[] {
  const { data } = (answer ?? {}) as { readonly data?: unknown }
  if (!Array.isArray(data)) return []
  return data.flatMap((one: unknown): readonly MadeImage[] => {
    const { b64_json: bytes, url } = (one ?? {}) as Readonly<Record<string, unknown>>
    if (typeof bytes === 'string') {
      return [{ url: `data:${kindOf(bytes)};base64,${bytes}`, isHere: true }]
    }
    if (typeof url !== 'string') return []
    if (url.startsWith('data:image/')) return [{ url, isHere: true }]
    return /^https?:\/\//i.test(url) ? [{ url, isHere: false }] : []
  })
}

/** By the first bytes, as they look in base64. */
function kindOf(bytes: string): string {
  if (bytes.startsWith('/9j/')) return 'image/jpeg'
  if (bytes.startsWith('UklGR')) return 'image/webp'
  return 'image/png'
}

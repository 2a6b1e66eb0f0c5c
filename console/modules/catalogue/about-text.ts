/** What a model is, in words and short figures. */
import type { CatalogueModel } from '../../api/catalogue.js'

type About = Pick<CatalogueModel, 'capabilities' | 'input_modalities'>

export const abilities = [
  'tools',
  'images',
  'structured_output',
  'reasoning',
  'prompt_cache',
] as const
export type Ability = (typeof abilities)[number]

/** Undefined: unknown, which is not a no. */
export function can(
  { capabilities, input_modalities }: About,
  ability: Ability,
): boolean | undefined {
  if (ability === 'images') return input_modalities?.includes('image')
  return capabilities?.[ability]
}

/** `128K`, `1M`, `1.05M`; as people write sizes of contexts. */
export function sizeText(tokens: number | null | undefined): string {
  if (!tokens) return ''
  if (tokens >= 1_000_000) return `${Number((tokens / 1_000_000).toFixed(2))}M`
  return tokens >= 1_000 ? `${Math.round(tokens / 1_000)}K` : String(tokens)
}

/** Of a share: `99.9%`; never `100%` where something failed. */
export function shareText(share: number | null | undefined): string {
  if (share === null || share === undefined) return ''
  return `${Number((share * 100).toFixed(1))}%`
}

export function secondsText(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return ''
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`
}

/** The address of a model's page: slashes stay slashes where a browser leaves them alone. */
export function pathOf(name: string): string {
  const parts = name.split('/').map(encodeURIComponent)
  const isPlain = parts.every((part) => part !== '' && part !== '.' && part !== '..')
  return `/models/${isPlain ? parts.join('/') : encodeURIComponent(name)}`
}

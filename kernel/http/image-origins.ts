/**
 * Where pages may show pictures from besides: settings whose value is the address of one (`image` in the manifest). They
 * are read when first asked for, and again after a change.
 */
import type { Settings } from '../contract/kit.js'
import type { Manifest } from '../contract/manifest.js'

export interface ImageSource {
  readonly manifest: Pick<Manifest, 'settings'>
  readonly settings: Settings
}

export function imageOrigins(sources: readonly ImageSource[]): () => readonly string[] {
  let known: readonly string[] | undefined
  const forget = () => {
    known = undefined
  }
  for (const { settings } of sources) settings.onChange(forget)

  return () => {
    known ??= [...new Set(sources.flatMap(originsIn))]
    return known
  }
}

export function hasImages({ settings }: Pick<Manifest, 'settings'>): boolean {
  return settings.some(isImage)
}

function isImage({ image }: Manifest['settings'][number]): boolean {
  return image === true
}

function originsIn({ manifest, settings }: ImageSource): readonly string[] {
  return manifest.settings.filter(isImage).flatMap(({ name }) => {
    const address = settings.string(name).trim()
    return URL.canParse(address) ? originOf(new URL(address)) : []
  })
}

/** The host of an address may hold what would end its place in a policy: such a one is left out. */
function originOf({ protocol, origin }: URL): string[] {
  return protocol === 'https:' && /^https:\/\/[\w.-]+(?::\d+)?$/.test(origin) ? [origin] : []
}

/**
 * Where pages may load from besides the gateway itself, as settings of plugins say in their manifests: the host of a
 * picture an operator named (`image`), and what a page needs while something is switched on (`pages`). Settings are read
 * when first requested, and again after a change.
 */
import type { Settings } from '../../contract/kit.js'
import type { Manifest, SettingField } from '../../contract/manifest.js'

export interface OriginSource {
  readonly manifest: Pick<Manifest, 'settings'>
  readonly settings: Settings
}

export interface PageOrigins {
  readonly image: readonly string[]
  readonly script: readonly string[]
  readonly frame: readonly string[]
}

export const noOrigins: PageOrigins = { image: [], script: [], frame: [] }

export function pageOrigins(sources: readonly OriginSource[]): () => PageOrigins {
  let known: PageOrigins | undefined
  const forget = () => {
    known = undefined
  }
  for (const { settings } of sources) settings.onChange(forget)

  return () => {
    known ??= {
      image: named(sources, imagesOf),
      script: named(sources, (field, settings) => neededBy(field, settings)?.script),
      frame: named(sources, (field, settings) => neededBy(field, settings)?.frame),
    }
    return known
  }
}

export function namesOrigins({ settings }: Pick<Manifest, 'settings'>): boolean {
  return settings.some(({ image, pages }) => image === true || pages !== undefined)
}

type Named = (field: SettingField, settings: Settings) => readonly string[] | undefined

function named(sources: readonly OriginSource[], namedBy: Named): readonly string[] {
  const all = sources.flatMap(({ manifest, settings }) =>
    manifest.settings.flatMap((field) => namedBy(field, settings) ?? []),
  )
  return [...new Set(all)]
}

function imagesOf({ name, image }: SettingField, settings: Settings): readonly string[] {
  if (image !== true) return []
  const address = settings.string(name).trim()
  return URL.canParse(address) ? originOf(new URL(address)) : []
}

/** The host of an address may hold what would end its place in a policy: such a one is left out. */
function originOf({ protocol, origin }: URL): string[] {
  return protocol === 'https:' && /^https:\/\/[\w.-]+(?::\d+)?$/.test(origin) ? [origin] : []
}

function neededBy({ name, pages }: SettingField, settings: Settings): SettingField['pages'] {
  return pages !== undefined && settings.boolean(name) ? pages : undefined
}

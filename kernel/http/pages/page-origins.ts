/**
 * Where pages may load from and post forms to besides the gateway itself, as settings of plugins state in their manifests:
 * the host of a picture an operator named (`image`), an address forms are posted to (`forms`), and what a page needs while
 * something is switched on (`pages`). Settings are read when first requested, and again after a change.
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
  /** Schemes, as `https:`. */
  readonly form: readonly string[]
}

export const noOrigins: PageOrigins = { image: [], script: [], frame: [], form: [] }

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
      form: named(sources, formsOf),
    }
    return known
  }
}

export function namesOrigins({ settings }: Pick<Manifest, 'settings'>): boolean {
  return settings.some(({ image, forms, pages }) => (image ?? forms ?? pages) !== undefined)
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

function formsOf({ name, forms }: SettingField, settings: Settings): readonly string[] {
  if (forms !== true) return []
  const address = settings.string(name).trim()
  if (!URL.canParse(address)) return []
  const { protocol } = new URL(address)
  return protocol === 'https:' || protocol === 'http:' ? [protocol] : []
}

/** The host of an address may hold what would end its place in a policy: such a one is left out. */
function originOf({ protocol, origin }: URL): string[] {
  return protocol === 'https:' && /^https:\/\/[\w.-]+(?::\d+)?$/.test(origin) ? [origin] : []
}

function neededBy({ name, pages }: SettingField, settings: Settings): SettingField['pages'] {
  return pages !== undefined && settings.boolean(name) ? pages : undefined
}

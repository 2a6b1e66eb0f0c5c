/**
 * Providers that are plugins. Each is loaded when the gateway starts, since only the plugin knows whether its settings
 * suffice, and an admin who switches one on gets an error at once if they do not.
 */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Log, Settings } from '../../../kernel/contract/kit.js'
import type { Manifest } from '../../../kernel/contract/manifest.js'
import type { OAuthProvider } from '../../../kernel/contract/oauth.js'
import type { Catalog } from '../../../kernel/contract/services/catalog.js'
import type { Extensions } from '../../../kernel/contract/services/extensions.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { nameOf, optionKey } from '../../../kernel/toolkit/service/index.js'
import type { Options } from '../options/index.js'
import type { OAuthSource } from './oauth.js'

export interface Sources {
  /** Those that are switched on and ready, in order. */
  all(): readonly OAuthSource[]
  /** Of any there is. */
  named(provider: string): Pick<OAuthSource, 'title' | 'translations'> | undefined
  start(): Promise<void>
}

export interface SourceDependencies {
  readonly extensions: Extensions
  readonly catalog: Pick<Catalog, 'onChange'>
  readonly options: Options
}

interface Loaded {
  readonly manifest: Manifest
  readonly settings: Settings
  readonly plugin: OAuthProvider
}

export function builtInSources(
  { extensions, catalog, options }: SourceDependencies,
  log: Log,
): Sources {
  let loaded: readonly Loaded[] = []
  const guarded = new Set<string>()

  async function load(manifest: Manifest): Promise<Loaded | undefined> {
    try {
      const plugin = await extensions.oauth(nameOf(manifest))
      return { manifest, settings: options.of(manifest), plugin }
    } catch (err) {
      log.error({ err, plugin: manifest.id }, 'a sign-in provider cannot be used')
      return undefined
    }
  }

  async function loadAll(): Promise<void> {
    const now: Loaded[] = []
    for (const manifest of extensions.list('oauth')) {
      const one = manifest.settings.length > 0 ? await load(manifest) : undefined
      if (one !== undefined) now.push(one)
    }
    loaded = now
    for (const { manifest } of loaded) guard(manifest)
  }

  /** Nobody can switch on what cannot work. */
  function guard(manifest: Manifest): void {
    const field = manifest.settings.find(({ name }) => name === manifest.oauth?.switch)
    if (field === undefined || guarded.has(manifest.id)) return
    guarded.add(manifest.id)
    const key = optionKey(manifest, field)
    options.check(key, (text) => {
      const one = loaded.find((found) => found.manifest.id === manifest.id)
      if (text !== 'true' || (one !== undefined && isReady(one.plugin))) return
      const reason = `${manifest.title} cannot be switched on before its other settings are complete.`
      throw new Refusal('invalid_field', { reason, param: key })
    })
  }

  return {
    all: () => loaded.filter(isOn).map(sourceOf),
    named(provider) {
      const one = loaded.find(({ manifest }) => nameOf(manifest) === provider)
      return one && { title: titleOf(one), ...titleWords(one.manifest) }
    },
    async start() {
      catalog.onChange(loadAll)
      await loadAll()
    },
  }
}

function isOn({ manifest, settings, plugin }: Loaded): boolean {
  const name = manifest.oauth?.switch
  return (name === undefined || settings.boolean(name)) && isReady(plugin)
}

export function isReady(plugin: OAuthProvider): boolean {
  try {
    return plugin.ready()
  } catch {
    return false
  }
}

function sourceOf(one: Loaded): OAuthSource {
  const { manifest, settings, plugin } = one
  const facts = (manifest.oauth?.facts ?? []).filter((name) => isOpen(manifest, name))
  return {
    provider: nameOf(manifest),
    title: titleOf(one),
    icon: manifest.icon ?? nameOf(manifest),
    ...titleWords(manifest),
    style: manifest.oauth?.style ?? 'redirect',
    facts: Object.fromEntries(facts.map((name) => [name, settings.all[name] ?? ''])) as JsonObject,
    plugin,
    admits: () => true,
  }
}

/** A manifest may be wrong about what anyone may know, but never about a secret. */
function isOpen({ settings }: Manifest, name: string): boolean {
  return settings.some((field) => field.name === name && field.type !== 'secret')
}

/** A name the admin gave stands before the plugin's own. */
function titleOf({ manifest, settings }: Loaded): string {
  const given = settings.all.displayName
  return typeof given === 'string' && given !== '' ? given : manifest.title
}

/** What anyone may know of the words a plugin ships: its title in other languages. */
function titleWords({ title, translations = {} }: Manifest): Pick<OAuthSource, 'translations'> {
  const words = Object.entries(translations).flatMap(([language, texts]) =>
    texts[title] === undefined ? [] : [[language, { [title]: texts[title] }] as const],
  )
  return words.length === 0 ? {} : { translations: Object.fromEntries(words) }
}

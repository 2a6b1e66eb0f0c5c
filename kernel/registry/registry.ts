/**
 * The plugins of one gateway, from their folders to their end: finds and checks them, creates each with the kit its
 * kind may have, starts them in load order and stops them in reverse. A plugin that fails is shown with the reason
 * and takes along only what requires it; without a stage or a core service the gateway does not start.
 */
import type { Endpoint } from '../contract/endpoint.js'
import type { Format } from '../contract/format.js'
import type { Guard } from '../contract/guard.js'
import type { Stages } from '../contract/line/stages.js'
import type { Management } from '../contract/management.js'
import type { Manifest, PluginKind } from '../contract/manifest.js'
import type { FormatName, OperationName } from '../contract/names.js'
import type { Operation } from '../contract/operation.js'
import type { Services } from '../contract/service.js'
import type { Catalog } from '../contract/services/catalog.js'
import type { Formats, Operations } from '../contract/services/formats.js'
import type { Providers } from '../contract/services/providers.js'
import type { PluginSources } from '../contract/services/system.js'
import { nameOf } from '../toolkit/service/manifest-names.js'
import { arrange, assertEssentials, type Essentials } from './arrange.js'
import { createCatalog } from './catalog.js'
import type { Checked } from './checked.js'
import { containedForm } from './contained-form.js'
import { containedGuard } from './contained-guard.js'
import { containedEndpoint, containedManagement } from './contained-routes.js'
import { type Container, createContainer } from './container.js'
import type { Deprecations } from './deprecations.js'
import { discover, type Found, importAhead } from './discovery.js'
import { createExtensions, createLoad } from './extensions.js'
import { registryServices } from './kernel-services.js'
import { createLives, isLazy, type Lives } from './life.js'
import { statedId } from './manifest.js'
import { namesOf } from './manifest-set.js'
import { discoverOutside } from './outside.js'
import { resolveOwnName } from './own-copy.js'
import { createPlugin, type Plugin, type PluginDependencies } from './plugin.js'
import { createProviders } from './providers.js'
import { createSwitching } from './switching.js'

export interface RegistryOptions extends PluginDependencies, Essentials {
  /** Folders in which every `manifest.json` is a plugin. */
  readonly roots?: readonly URL[]
  /** Plugins beyond those of the folders. */
  readonly plugins?: readonly Found[]
  /** What is wrong with entries of `PLUGINS` of which no plugin can be shown, a sentence each. */
  readonly problems?: readonly string[]
  /** What the kernel itself provides; `catalog`, `formats`, `operations`, `providers`, `extensions` and `plugins` are added here. */
  readonly kernelServices: Partial<Services>
  /** The service that holds the settings of the others. Its own, and those of what it requires, are the defaults. */
  readonly settingsSource: string
  /** What is deprecated. Absent: the table of the contract. */
  readonly deprecations?: Deprecations
}

export interface Registry extends Views {
  readonly catalog: Catalog
  readonly formats: Formats
  readonly operations: Operations
  readonly providers: Providers
  /** A service by name, the kernel's included. Throws where there is none or it failed. */
  service<Name extends keyof Services>(name: Name): Services[Name]
  /** A payment, OAuth provider or notifier by id, imported on first use. Rejects where it failed or there is none. */
  load(id: string): Promise<object>
  /** Starts in load order. Rejects where a stage or a core service fails, and has stopped all others then. */
  start(): Promise<void>
  /** Stops in reverse order. Never rejects; what fails is logged. */
  stop(): Promise<void>
}

/** What is in use of each kind: created, and not failed since. */
interface Views {
  /** Stages by name. */
  stages(): Readonly<Partial<Stages>>
  guards(stage: string, where: 'before' | 'after'): readonly Guard[]
  endpoints(): readonly { readonly manifest: Manifest; readonly endpoint: Endpoint }[]
  managements(): readonly { readonly manifest: Manifest; readonly management: Management }[]
}

/**
 * Finds the plugins for `createRegistry`, and begins to import those of the folders that it will create at once, while the
 * caller waits for something else. No code of those from outside runs before they were checked.
 */
export async function findPlugins(
  roots: readonly URL[],
  sources?: PluginSources,
): Promise<Pick<RegistryOptions, 'plugins' | 'problems'>> {
  const found = await discover(roots)
  void importAhead(found, ({ kind }) => kind !== undefined && !isLazy({ manifest: { kind } }))
  if (sources === undefined) return { plugins: found }
  const ids = new Set(found.flatMap(({ text }) => statedId(text) ?? []))
  const outside = await discoverOutside(sources, ids)
  if (outside.found.length > 0) resolveOwnName()
  return { plugins: [...found, ...outside.found], problems: outside.problems }
}

/** Finds, checks and creates. Rejects with a sentence where a stage or a core service failed or is missing. */
export async function createRegistry(options: RegistryOptions): Promise<Registry> {
  const found = [...(await discover(options.roots ?? [])), ...(options.plugins ?? [])]
  const names = [...Object.keys(options.kernelServices), ...registryServices]
  const plugins = arrange(found, { ...options, kernelServices: new Set(names) })
  const container = createContainer()
  const lives = createLives(plugins, container, options)

  for (const problem of options.problems ?? []) {
    options.log.error({}, `a plugin cannot be loaded: ${problem}`)
  }
  const formats = formatsOf(plugins)
  const operations = operationsOf(plugins)
  const providers = createProviders(plugins, lives.load)
  const load = createLoad(plugins, lives)
  const switching = createSwitching(plugins, lives, {
    candidate: candidateAmong(plugins, options),
    log: options.log,
  })
  const catalog = createCatalog(plugins, { ...options, ...switching })
  const extensions = createExtensions(plugins, lives, load)
  const kernel = {
    ...options.kernelServices,
    ...({
      catalog,
      formats,
      operations,
      providers,
      extensions,
      plugins: switching,
    } satisfies Record<(typeof registryServices)[number], unknown>),
  }
  for (const [name, service] of Object.entries(kernel)) container.provide(name, service)

  await lives.createAll()
  assertEssentials(plugins, options)
  return {
    catalog,
    formats,
    operations,
    providers,
    ...viewsOf(plugins),
    load,
    ...verbsOf(plugins, lives, container, options),
  }
}

function candidateAmong(
  plugins: readonly Plugin[],
  options: PluginDependencies,
): (checked: Omit<Checked, 'fault'>) => Plugin {
  const manifests = plugins.map(({ manifest }) => manifest)
  const formats = namesOf(manifests, 'format')
  return (checked) => createPlugin(checked, { ...options, formats })
}

function verbsOf(
  plugins: readonly Plugin[],
  lives: Lives,
  container: Container,
  essentials: Essentials,
): Pick<Registry, 'service' | 'start' | 'stop'> {
  return {
    service(name) {
      const plugin = plugins.find(({ manifest }) => manifest.id === `service.${name}`)
      if (plugin?.state !== 'failed') return container.get(name)
      throw new Error(`the service "${name}" cannot be used: ${plugin.status().reason}`)
    },
    async start() {
      await lives.startAll()
      try {
        assertEssentials(plugins, essentials)
      } catch (error) {
        await lives.stopAll()
        throw error
      }
    },
    stop: lives.stopAll,
  }
}

function viewsOf(plugins: readonly Plugin[]): Views {
  return {
    stages: () =>
      Object.fromEntries(
        inUse(plugins, 'stage').map(([{ manifest }, stage]) => [nameOf(manifest), stage]),
      ),
    guards: (stage, where) =>
      inUse<Guard>(plugins, 'guard')
        .filter(
          ([{ manifest }]) => manifest.guards?.stage === stage && manifest.guards.where === where,
        )
        .map(([plugin, guard]) => switchedGuard(containedGuard(guard, plugin.health), plugin)),
    endpoints: () =>
      inUse<Endpoint>(plugins, 'endpoint').map(([{ manifest, isOutside, health }, created]) => ({
        manifest,
        endpoint: isOutside ? containedEndpoint(created, health) : created,
      })),
    managements: () =>
      inUse<Management>(plugins, 'management').map(
        ([{ manifest, isOutside, health }, created]) => ({
          manifest,
          management: isOutside ? containedManagement(created, health) : created,
        }),
      ),
  }
}

/** One that is switched off lets everything pass. */
function switchedGuard(guard: Guard, plugin: Plugin): Guard {
  return { check: (state) => (plugin.state === 'off' ? undefined : guard.check(state)) }
}

/** Operations too; one that is missing or failed is not there, and its paths refuse. */
function operationsOf(plugins: readonly Plugin[]): Operations {
  const known = new Map<OperationName, Operation | undefined>()
  return {
    get(name) {
      if (!known.has(name)) known.set(name, formNamed<Operation>(plugins, `operation.${name}`))
      return known.get(name)
    },
  }
}

/** Formats are requested with every request, so each is looked up among the plugins once. */
function formatsOf(plugins: readonly Plugin[]): Formats {
  const known = new Map<FormatName, Format>()
  return {
    get(name) {
      const format = known.get(name) ?? formNamed<Format>(plugins, `format.${name}`)
      if (format === undefined) throw new Error(`there is no format "${name}"`)
      known.set(name, format)
      return format
    },
  }
}

/** What is built in is called as it is. */
function formNamed<Form extends object>(plugins: readonly Plugin[], id: string): Form | undefined {
  const plugin = plugins.find(({ manifest }) => manifest.id === id)
  const created = plugin?.created() as Form | undefined
  return created && plugin?.isOutside ? containedForm(created, plugin.health) : created
}

/** Plugins of a kind with what they created; `create` saw to it that its shape fits. */
function inUse<Created>(
  plugins: readonly Plugin[],
  kind: PluginKind,
): readonly (readonly [Plugin, Created])[] {
  return plugins.flatMap((plugin) => {
    const created = plugin.manifest.kind === kind && plugin.created()
    return created ? [[plugin, created as Created] as const] : []
  })
}

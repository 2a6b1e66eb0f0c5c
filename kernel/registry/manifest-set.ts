/**
 * Checks manifests against each other, before any code of theirs runs: names taken twice, routes that collide,
 * services that are missing or that a kind may not have.
 */
import type { Manifest, PluginKind } from '../contract/manifest.js'
import { nameOf, optionKey } from '../toolkit/service/manifest-names.js'
import type { Deprecations } from './deprecations.js'

/** What manifests are checked against beside each other. */
export interface Surroundings {
  /** Names of the services the kernel provides. */
  readonly kernelServices: ReadonlySet<string>
  /** Names of the stages of the line. */
  readonly line: readonly string[]
  /** Absent: those of the contract. */
  readonly deprecations?: Deprecations
}

/** What is wrong with each manifest, by its place in the list; of two that collide the later one is at fault. */
export function findFaults(
  manifests: readonly Manifest[],
  surroundings: Surroundings,
): ReadonlyMap<number, string> {
  const faults = new Map<number, string>()
  const taken = new Map<string, string>()
  const services = namesOf(manifests, 'service')
  const formats = namesOf(manifests, 'format')
  for (const [index, manifest] of manifests.entries()) {
    const fault =
      faultOfClaims(manifest, taken, surroundings.kernelServices) ??
      faultOfRequires(manifest, services, surroundings.kernelServices) ??
      faultOfFormats(manifest, formats) ??
      faultOfGuard(manifest, surroundings.line)
    if (fault) faults.set(index, fault)
  }
  return faults
}

/** Names of the plugins of a kind. */
export function namesOf(manifests: readonly Manifest[], kind: PluginKind): ReadonlySet<string> {
  return new Set(manifests.filter((manifest) => manifest.kind === kind).map(nameOf))
}

/** A path with its parameters made nameless, once per way an optional last one may be read: `/a/{id?}` → `/a`, `/a/{}`. */
export function pathShapes(path: string): readonly string[] {
  const plain = path.replace(/\/+$/, '') || '/'
  const optional = /^(.*)\/\{\w+\?\}$/.exec(plain)
  if (optional?.[1] !== undefined) return [optional[1] || '/', `${optional[1]}/{}`]
  return [plain.replace(/\{\w+\*(\d*)\}/g, repeated).replace(/\{\w+\}/g, '{}')]
}

function repeated(_: string, count: string): string {
  return count === '' ? '{*}' : Array.from({ length: Number(count) }, () => '{}').join('/')
}

/** Takes the names the manifest claims for itself; a fault is one that somebody took before. */
function faultOfClaims(
  manifest: Manifest,
  taken: Map<string, string>,
  kernelServices: ReadonlySet<string>,
): string | undefined {
  if (manifest.kind === 'service' && kernelServices.has(nameOf(manifest))) {
    return `"id" claims the service "${nameOf(manifest)}", which the kernel provides`
  }
  const own = new Set<string>()
  for (const [field, claim] of claimsOf(manifest)) {
    const owner = taken.get(claim)
    const words = `"${field}" of ${manifest.id} claims ${claim}`
    if (owner !== undefined) return `${words}, which ${owner} has`
    if (own.has(claim)) return `${words} twice`
    own.add(claim)
  }
  for (const claim of own) taken.set(claim, manifest.id)
  return undefined
}

function claimsOf(manifest: Manifest): readonly (readonly [field: string, claim: string])[] {
  return [
    ['id', `the id ${manifest.id}`],
    ...manifest.routes.flatMap(({ method, path }, index) =>
      pathShapes(path).map((shape) => [`routes[${index}]`, `${method} ${shape}`] as const),
    ),
    ...manifest.channelTypes.map(
      ({ id }, index) => [`channelTypes[${index}].id`, `the channel type ${id}`] as const,
    ),
    ...manifest.userSettings.map(
      ({ name }, index) => [`userSettings[${index}]`, `the user setting "${name}"`] as const,
    ),
    ...manifest.settings.map(
      (field, index) => [`settings[${index}]`, `the option ${optionKey(manifest, field)}`] as const,
    ),
  ]
}

const nothing: ReadonlySet<string> = new Set()

/** Kernel services each kind may require; absent: every one. Kinds with `nothing` may require no service at all. */
const allowed: Readonly<Partial<Record<PluginKind, ReadonlySet<string>>>> = {
  provider: nothing,
  format: nothing,
  operation: nothing,
  payment: nothing,
  oauth: nothing,
  notifier: nothing,
  task: nothing,
  guard: nothing,
  stage: new Set(['formats', 'providers', 'egress', 'disconnects', 'answers', 'system']),
  endpoint: new Set(['formats']),
}

function faultOfRequires(
  manifest: Manifest,
  services: ReadonlySet<string>,
  kernelServices: ReadonlySet<string>,
): string | undefined {
  const mayHave = allowed[manifest.kind]
  for (const name of manifest.requires) {
    if (mayHave === nothing)
      return `"requires" names "${name}", but the kind "${manifest.kind}" has no services`
    if (services.has(name)) continue
    if (!kernelServices.has(name)) return `"requires" names "${name}", which no plugin provides`
    if (mayHave && !mayHave.has(name)) {
      return `"requires" names "${name}", which the kind "${manifest.kind}" may not have`
    }
  }
  return undefined
}

function faultOfFormats({ routes }: Manifest, formats: ReadonlySet<string>): string | undefined {
  const at = routes.findIndex(({ format }) => format !== undefined && !formats.has(format))
  if (at === -1) return undefined
  return `"routes[${at}].format" names "${routes[at]?.format}", which no plugin provides`
}

function faultOfGuard({ guards }: Manifest, line: readonly string[]): string | undefined {
  if (!guards || line.includes(guards.stage)) return undefined
  return `"guards.stage" names "${guards.stage}", which is no stage of the line`
}

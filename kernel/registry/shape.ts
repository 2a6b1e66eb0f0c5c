/** Whether what `create` answered has the verbs its kind and its manifest promise. */
import type { Manifest } from '../contract/manifest.js'
import { nameOf } from '../toolkit/service/manifest-names.js'

/** A sentence for what is missing; undefined: nothing is. `formats` holds the names of all there are. */
export function faultOfShape(
  manifest: Manifest,
  created: unknown,
  formats: ReadonlySet<string>,
): string | undefined {
  if (!isRecord(created)) return 'create(kit) answered no object'
  if (typeof created.then === 'function') return 'create(kit) answered a promise'
  switch (manifest.kind) {
    case 'stage':
      return typeof created.run === 'function' ? undefined : 'create(kit) answered no "run"'
    case 'guard':
      return typeof created.check === 'function' ? undefined : 'create(kit) answered no "check"'
    case 'format':
      return created.name === nameOf(manifest)
        ? undefined
        : `create(kit) answered the name "${created.name}", not "${nameOf(manifest)}"`
    case 'provider':
    case 'task':
      return faultOfOperations(created.operations, formats)
    case 'oauth':
      return faultOfVerbs(created, ['identify', 'ready'])
    case 'payment':
      return faultOfVerbs(created, ['offer', 'checkout', ...callbackVerbs(manifest)])
    case 'notifier':
      return faultOfVerbs(created, ['deliver'])
    case 'endpoint':
    case 'management':
      return faultOfRoutes(manifest, created.routes)
    default:
      return undefined
  }
}

/** A provider that reports is verified. */
function callbackVerbs({ payment }: Manifest): readonly string[] {
  return payment?.callback.length ? ['verify'] : []
}

function faultOfVerbs(
  created: Readonly<Record<string, unknown>>,
  verbs: readonly string[],
): string | undefined {
  const missing = verbs.find((verb) => typeof created[verb] !== 'function')
  return missing === undefined ? undefined : `create(kit) answered no "${missing}"`
}

function faultOfOperations(operations: unknown, formats: ReadonlySet<string>): string | undefined {
  if (!isRecord(operations)) return 'create(kit) answered no "operations"'
  for (const [name, served] of Object.entries(operations)) {
    for (const adapter of Array.isArray(served) ? served : [served]) {
      const missing = missingVerb(name, adapter)
      if (missing !== undefined) return `create(kit) answered "${name}" without "${missing}"`
      const { format } = adapter as { readonly format?: unknown }
      if (forms.has(format) || formats.has(format as string)) continue
      return `create(kit) answered "${name}" in the format "${format}", which no plugin provides`
    }
  }
  return undefined
}

/** What an adapter may state in place of a format. */
const forms: ReadonlySet<unknown> = new Set(['own', 'same', 'task'])

function missingVerb(operation: string, adapter: unknown): string | undefined {
  if (!isRecord(adapter)) return 'address'
  const verbs = ['address', 'fail', ...verbsOfForm(operation, adapter.format)]
  const missing = verbs.find((verb) => typeof adapter[verb] !== 'function')
  return missing ?? (adapter.format === 'task' ? missingPoll(adapter.poll) : undefined)
}

function verbsOfForm(operation: string, format: unknown): readonly string[] {
  if (format === 'task') return ['shape', 'quantities', 'submitted']
  if (format !== 'own') return []
  return operation === 'chat' ? ['encode', 'read'] : ['shape', 'answer']
}

function missingPoll(poll: unknown): string | undefined {
  if (!isRecord(poll)) return 'poll'
  if (!Number.isInteger(poll.batch) || Number(poll.batch) < 1) return 'poll.batch'
  const missing = ['request', 'read'].find((verb) => typeof poll[verb] !== 'function')
  return missing && `poll.${missing}`
}

function faultOfRoutes(manifest: Manifest, routes: unknown): string | undefined {
  if (!isRecord(routes)) return 'create(kit) answered no "routes"'
  const declared = manifest.routes.map(({ name }) => name)
  const missing = declared.find((name) => !Object.hasOwn(routes, name))
  if (missing !== undefined) return `create(kit) answered nothing for the route "${missing}"`
  const unknown = Object.keys(routes).find((name) => !declared.includes(name))
  if (unknown !== undefined) return `create(kit) answered a route "${unknown}" the manifest lacks`
  return undefined
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

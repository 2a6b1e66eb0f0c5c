/**
 * The order in which plugins are created and started: each after the services it requires, the source of settings
 * before everything that does not serve it. The same set gives the same order, however it was found.
 */
import type { Manifest, PluginKind } from '../contract/manifest.js'
import { nameOf } from '../toolkit/service/manifest-names.js'

export interface LoadOrder {
  readonly order: readonly Manifest[]
  /** Services that require each other, as a sentence names them; those in it are in no order. */
  readonly cycles: readonly Cycle[]
}

interface Cycle {
  readonly ids: readonly string[]
  readonly sentence: string
}

/** Among plugins that do not require each other, those others look up come first. */
const ranks: readonly PluginKind[] = [
  'format',
  'operation',
  'provider',
  'payment',
  'oauth',
  'notifier',
  'task',
  'service',
  'guard',
  'stage',
  'endpoint',
  'management',
]

/** `first` names the service that goes before all it can, with what it requires. */
export function loadOrder(manifests: readonly Manifest[], first: string): LoadOrder {
  const services = new Map(
    manifests
      .filter(({ kind }) => kind === 'service')
      .map((manifest) => [nameOf(manifest), manifest]),
  )
  const order: Manifest[] = []
  const cycles: Cycle[] = []
  const done = new Set<Manifest>()

  function visit(manifest: Manifest, path: readonly Manifest[]): void {
    const again = path.indexOf(manifest)
    if (again >= 0) {
      cycles.push(cycleOf(path.slice(again)))
      return
    }
    if (done.has(manifest)) return
    for (const name of manifest.requires) {
      const service = services.get(name)
      if (service) visit(service, [...path, manifest])
    }
    done.add(manifest)
    order.push(manifest)
  }

  const source = services.get(first)
  if (source) visit(source, [])
  for (const manifest of [...manifests].sort(byRank)) visit(manifest, [])
  const circular = new Set(cycles.flatMap(({ ids }) => ids))
  return { order: order.filter(({ id }) => !circular.has(id)), cycles }
}

function cycleOf(path: readonly Manifest[]): Cycle {
  const ids = path.map(({ id }) => id)
  return { ids, sentence: `${[...ids, ids[0]].join(' requires ')}: a circle` }
}

function byRank(a: Manifest, b: Manifest): number {
  return ranks.indexOf(a.kind) - ranks.indexOf(b.kind) || (a.id < b.id ? -1 : 1)
}

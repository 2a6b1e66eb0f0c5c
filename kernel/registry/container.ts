/**
 * Services by name, and what of them a plugin gets to see. The only file that knows tsyringe: everything else takes
 * plain values. Each plugin is served from a child of the empty root that holds exactly what it requires, so nothing
 * else can be resolved there by accident.
 */
import 'reflect-metadata'
import { container as emptyRoot } from 'tsyringe'
import type { Services } from '../contract/service.js'

export interface Container {
  /** Registers a service once; a name is never given twice. */
  provide(name: string, service: unknown): void
  /** Throws a sentence where there is none. */
  get<Name extends keyof Services>(name: Name): Services[Name]
  /** A frozen object with exactly these services. Throws a sentence for one that is not there. */
  grant(names: readonly string[]): Readonly<Partial<Services>>
}

export function createContainer(): Container {
  const all = emptyRoot.createChildContainer()

  function find<Service>(name: string): Service {
    if (!all.isRegistered(name)) throw new Error(`there is no service "${name}"`)
    return all.resolve<Service>(name)
  }

  return {
    provide(name, service) {
      if (all.isRegistered(name)) throw new Error(`the service "${name}" is already there`)
      all.registerInstance(name, service)
    },
    get: (name) => find(name),
    grant(names) {
      const own = emptyRoot.createChildContainer()
      for (const name of names) own.registerInstance(name, find(name))
      return Object.freeze(Object.fromEntries(names.map((name) => [name, own.resolve(name)])))
    },
  }
}

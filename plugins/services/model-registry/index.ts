/** Models by name in memory: what admins wrote of them, read once at start, then row by row; and who serves them. */

import type { Life } from '../../../kernel/contract/kit.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { createFacts } from './facts.js'
import { knownModels } from './known-models.js'
import { mergedFacts } from './merged-facts.js'
import type { ModelRegistry } from './model-registry.js'
import {
  entryOf,
  type ModelRow,
  modelColumns,
  type VendorRow,
  vendorColumns,
  vendorOf,
} from './rows.js'
import { servedByChannels } from './served.js'

export type * from './model-registry.js'

export default function create({
  services,
}: Kit<'database' | 'changes' | 'channels'>): ModelRegistry & Life {
  const { database, changes, channels } = services
  const { knex } = database
  const facts = createFacts()
  const served = servedByChannels()
  const known = knownModels()
  let loaded: Promise<void> = Promise.resolve()

  async function loadAll(): Promise<void> {
    facts.takeVendors([], (await knex('vendors').select<VendorRow[]>(vendorColumns)).map(vendorOf))
    facts.takeEntries([], (await knex('models').select<ModelRow[]>(modelColumns)).map(entryOf))
  }

  async function refreshModels(changed: ReadonlySet<string>): Promise<void> {
    await loaded
    const ids = [...changed].map(Number)
    const rows = await knex('models').select<ModelRow[]>(modelColumns).whereIn('id', ids)
    facts.takeEntries(ids, rows.map(entryOf))
  }

  async function refreshVendors(changed: ReadonlySet<string>): Promise<void> {
    await loaded
    const ids = [...changed].map(Number)
    const rows = await knex('vendors').select<VendorRow[]>(vendorColumns).whereIn('id', ids)
    facts.takeVendors(ids, rows.map(vendorOf))
  }

  changes.on('models', refreshModels)
  changes.on('vendors', refreshVendors)

  return {
    describe: facts.describe,
    about: (name) => mergedFacts(facts.describe(name), known(name)),
    known,
    revision: facts.revision,
    served: () => served(channels.all()),
    start() {
      loaded = loadAll()
      return loaded
    },
  }
}

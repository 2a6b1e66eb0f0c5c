/** Puts the verbs of `ChannelEdits` together. */
import type { Clock } from '../../../../kernel/contract/kit.js'
import type { Catalog } from '../../../../kernel/contract/services/catalog.js'
import type { Changes } from '../../../../kernel/contract/services/changes.js'
import type { Database } from '../../../../kernel/contract/services/database.js'
import type { Providers } from '../../../../kernel/contract/services/providers.js'
import type { SecretBox } from '../../../../kernel/contract/services/secrets.js'
import type { RequestRewriting } from '../../rewriting/index.js'
import { bulk } from './bulk.js'
import { bulkEdit } from './bulk-edit.js'
import { checks as checksOf } from './checks.js'
import { copying } from './copies.js'
import type { ChannelEdits } from './edits.js'
import { changeKeys, requireMultiKey } from './key-states.js'
import { keyTable, sealedKeys } from './keys.js'
import { saving } from './save.js'
import { singleRows } from './single-rows.js'
import { visibleOf } from './visible.js'
import { writing } from './writing.js'

export interface EditServices {
  readonly database: Database
  readonly changes: Changes
  readonly providers: Providers
  readonly catalog: Catalog
  readonly secrets: SecretBox
  readonly rewriting: RequestRewriting
}

export function createEdits(services: EditServices, clock: Clock): ChannelEdits {
  const { secrets, database } = services
  const checks = checksOf(services)
  const parts = { ...services, checks, keys: keyTable({ secrets }) }
  const { create, update } = saving(parts)
  const { setStatus, ...many } = bulk(parts)
  const changeMany = bulkEdit(parts)
  const write = writing(services)
  const dependencies = (by: string) => ({
    fields: checks.fields,
    seal: (id: number, place: string, secret: string) =>
      secrets.seal(`channels:${id}:${place}`, secret),
    now: new Date(clock.now()),
    by,
  })

  return {
    create: (creation, by) => create(creation, dependencies(by)),
    update: (changes, by, guards) => update(changes, dependencies(by), guards),
    copy: copying(parts),
    setStatus: (which, status, by) => setStatus(which, status, dependencies(by)),
    ...many,
    changeMany: (ids, change, by) => changeMany(ids, change, by, dependencies(by)),
    requireMultiKey: (id) => requireMultiKey(database.knex, id),
    sealedKeys: (id) => sealedKeys(database.knex, id),
    changeKeys: (change, by) =>
      write(async (trx) => {
        const changed = await changeKeys(change, { trx, by, now: new Date(clock.now()) })
        if (changed > 0) await services.changes.note(trx, 'channels', change.channel_id)
        return changed
      }),
    ...singleRows(services),
    visible: (row) => visibleOf(row, checks.fields(row.type)),
  }
}

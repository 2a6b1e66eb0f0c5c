/** Reading and changing vendors: each write is one transaction, received by every process before it is answered. */
import type { Knex } from 'knex'
import { raw } from 'objection'
import type { Changes } from '../../../kernel/contract/services/changes.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { containing } from '../../../kernel/toolkit/service/index.js'
import type { NewVendor, VendorChanges, VendorSearch } from './forms.js'
import { VendorRow } from './vendor-row.js'

export interface VendorStore {
  page(search: VendorSearch): Promise<{ readonly rows: VendorRow[]; readonly total: number }>
  get(id: number): Promise<VendorRow>
  create(form: NewVendor): Promise<VendorRow>
  update(changes: VendorChanges): Promise<VendorRow>
  /** Throws `conflict` while a model names the vendor (API-5). */
  remove(id: number): Promise<void>
}

export function vendorStore({
  database,
  changes,
}: {
  readonly database: Database
  readonly changes: Changes
}): VendorStore {
  const { knex } = database

  async function page({ p, page_size, keyword }: VendorSearch) {
    const like = containing(keyword)
    const { results, total } = await VendorRow.query(knex)
      .where((where) => {
        if (keyword === '') return
        where.where('name', 'ilike', like).orWhere('description', 'ilike', like)
      })
      .orderBy('id', 'desc')
      .page(Math.max(p, 1) - 1, page_size)
    return { rows: results, total }
  }

  async function get(id: number): Promise<VendorRow> {
    return (await VendorRow.query(knex).findById(id)) ?? missing()
  }

  function create(form: NewVendor): Promise<VendorRow> {
    return write(async (trx) => {
      const { id } = await VendorRow.query(trx).insert(form).returning('id').catch(nameTaken)
      return noted(trx, id)
    })
  }

  function update({ id, ...form }: VendorChanges): Promise<VendorRow> {
    return write(async (trx) => {
      await locked(trx, id)
      await VendorRow.query(trx)
        .findById(id)
        .patch({ ...form, updated_at: raw('now()') })
        .catch(nameTaken)
      return noted(trx, id)
    })
  }

  async function noted(trx: Knex.Transaction, id: number): Promise<VendorRow> {
    await changes.note(trx, 'vendors', id)
    return (await VendorRow.query(trx).findById(id)) ?? missing()
  }

  /** While the row is locked no model can come to name it; should one all the same, the foreign key refuses. */
  function remove(id: number): Promise<void> {
    return write(async (trx) => {
      const { name } = await locked(trx, id)
      const naming = await trx('models').where('vendor_id', id).count()
      const models = Number(naming[0]?.count)
      if (models > 0) throw named(name, models)
      await VendorRow.query(trx).deleteById(id)
      await changes.note(trx, 'vendors', id)
    })
  }

  async function write<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
    const done = await knex.transaction(work)
    await changes.settled()
    return done
  }

  return { page, get, create, update, remove }
}

async function locked(trx: Knex.Transaction, id: number): Promise<VendorRow> {
  return (await VendorRow.query(trx).findById(id).forUpdate()) ?? missing()
}

function named(vendor: string, models: number): Refusal {
  const who = models === 1 ? '1 model names' : `${models} models name`
  const reason = `The vendor "${vendor}" cannot be deleted: ${who} it.`
  return new Refusal('conflict', { reason, param: 'id' })
}

function nameTaken(error: unknown): never {
  const taken =
    error instanceof Error && 'constraint' in error && error.constraint === 'vendors_name_key'
  throw taken
    ? new Refusal('conflict', { reason: 'There is a vendor of this name.', param: 'name' })
    : error
}

function missing(): never {
  throw new Refusal('gone_missing', { what: 'vendor', param: 'id' })
}

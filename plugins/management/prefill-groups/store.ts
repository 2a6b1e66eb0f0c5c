/** Reading and changing prefill groups. Nothing but forms reads them, so no process keeps them in memory. */
import type { Knex } from 'knex'
import type { Json } from '../../../kernel/contract/json.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import {
  faultOfItems,
  type GroupChanges,
  type GroupForm,
  type GroupSearch,
  type GroupType,
  type NewGroup,
} from './forms.js'

export interface GroupRecord {
  readonly id: number
  readonly name: string
  readonly type: GroupType
  readonly items: Json
  readonly description: string
}

export interface GroupStore {
  /** In order of type and name. */
  list(search: GroupSearch): Promise<readonly GroupRecord[]>
  create(form: NewGroup): Promise<GroupRecord>
  update(changes: GroupChanges): Promise<GroupRecord>
  remove(id: number): Promise<void>
}

const columns = ['id', 'name', 'type', 'items', 'description']

/** Far more than a form shows; no list is endless. */
const groupsMax = 1_000

export function groupStore({ knex }: Database): GroupStore {
  async function list({ type }: GroupSearch): Promise<readonly GroupRecord[]> {
    return knex('prefill_groups')
      .where(type === undefined ? {} : { type })
      .orderBy(['type', 'name'])
      .limit(groupsMax)
      .select(columns)
  }

  async function create(form: NewGroup): Promise<GroupRecord> {
    checkItems(form.type, form.items)
    const [made] = await knex('prefill_groups')
      .insert({ ...columnsOf(form), type: form.type })
      .returning(columns)
      .catch(nameTaken)
    return made
  }

  function update({ id, type, ...form }: GroupChanges): Promise<GroupRecord> {
    return knex.transaction(async (trx) => {
      const before = await locked(trx, id)
      const kind = type ?? before.type
      checkItems(kind, form.items ?? before.items)
      const [changed] = await trx('prefill_groups')
        .where({ id })
        .update({ ...columnsOf(form), type: kind, updated_at: trx.fn.now() })
        .returning(columns)
        .catch(nameTaken)
      return changed
    })
  }

  async function remove(id: number): Promise<void> {
    if ((await knex('prefill_groups').where({ id }).delete()) === 0) missing()
  }

  return { list, create, update, remove }
}

async function locked(trx: Knex.Transaction, id: number): Promise<GroupRecord> {
  const row = await trx('prefill_groups').where({ id }).forUpdate().first(columns)
  return row ?? missing()
}

/** What was sent; a list would become an array of the database unless it goes as text. */
function columnsOf({ name, items, description }: GroupForm) {
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(items !== undefined && { items: JSON.stringify(items) }),
  }
}

function checkItems(type: GroupType, items: Json): void {
  const fault = faultOfItems(type, items)
  if (fault !== undefined) {
    throw new Refusal('invalid_field', { reason: `items ${fault}.`, param: 'items' })
  }
}

function nameTaken(error: unknown): never {
  const constraint = error instanceof Error && 'constraint' in error ? error.constraint : undefined
  if (constraint !== 'prefill_groups_name_key') throw error
  throw new Refusal('conflict', { reason: 'There is a list of this name and type.', param: 'name' })
}

function missing(): never {
  throw new Refusal('gone_missing', { what: 'prefill group', param: 'id' })
}

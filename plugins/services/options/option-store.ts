/** The table `options`: secrets are sealed on the way in and opened on the way out. */
import type { Knex } from 'knex'
import type { Changes, Database, SecretBox } from '../../../kernel/contract/service.js'
import type { Registered } from './option-registry.js'

export const topic = 'options'

export interface OptionWrite {
  readonly option: Registered
  readonly text: string
}

export interface OptionStore {
  /** The stored text of each option asked for; undefined: nothing is stored. */
  read(options: readonly Registered[]): Promise<ReadonlyMap<string, StoredText>>
  /** All or nothing. */
  write(writes: readonly OptionWrite[]): Promise<void>
  /** Only where nothing is stored yet. */
  writeMissing(writes: readonly OptionWrite[]): Promise<void>
}

/** A secret that cannot be opened carries the error instead. */
export type StoredText = { readonly text: string | undefined } | { readonly error: unknown }

interface OptionRow {
  readonly key: string
  readonly value: string
  readonly sealed: boolean
}

export function optionStore({ knex }: Database, changes: Changes, secrets: SecretBox): OptionStore {
  function rowOf({ option: { key, field }, text }: OptionWrite, trx: Knex.Transaction) {
    const sealed = field.type === 'secret'
    const value = sealed ? secrets.seal(placeOf(key), text) : text
    return { key, value, sealed, updated_at: trx.fn.now() }
  }

  function textOf({ key, value, sealed }: OptionRow): StoredText {
    if (!sealed) return { text: value }
    try {
      return { text: secrets.open(placeOf(key), value) }
    } catch (error) {
      return { error }
    }
  }

  async function writeWith(
    writes: readonly OptionWrite[],
    insert: (trx: Knex.Transaction, rows: readonly object[]) => Promise<readonly { key: string }[]>,
  ): Promise<void> {
    if (writes.length === 0) return
    await knex.transaction(async (trx) => {
      const rows = inOrder(writes).map((write) => rowOf(write, trx))
      for (const { key } of await insert(trx, rows)) await changes.note(trx, topic, key)
    })
  }

  return {
    async read(options) {
      const keys = options.map(({ key }) => key)
      const rows = await knex('options')
        .select<OptionRow[]>('key', 'value', 'sealed')
        .whereIn('key', keys)
      const found = new Map(rows.map((row) => [row.key, textOf(row)]))
      return new Map(keys.map((key) => [key, found.get(key) ?? { text: undefined }]))
    },
    write: (writes) =>
      writeWith(writes, (trx, rows) =>
        trx('options').insert(rows).onConflict('key').merge().returning('key'),
      ),
    writeMissing: (writes) =>
      writeWith(writes, (trx, rows) =>
        trx('options').insert(rows).onConflict('key').ignore().returning('key'),
      ),
  }
}

function placeOf(key: string): string {
  return `options:${key}:value`
}

/** Every writer locks rows in the same order, so that two never wait for each other. */
function inOrder(writes: readonly OptionWrite[]): readonly OptionWrite[] {
  return [...writes].sort((left, right) => (left.option.key < right.option.key ? -1 : 1))
}

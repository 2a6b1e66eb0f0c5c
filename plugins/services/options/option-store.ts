/** The table `options`: secrets are sealed on the way in and opened on the way out. */
import type { Knex } from 'knex'
import type { Changes } from '../../../kernel/contract/services/changes.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { SecretBox } from '../../../kernel/contract/services/secrets.js'
import type { Registered } from './option-registry.js'

export const topic = 'options'

export interface OptionWrite {
  readonly option: Registered
  readonly text: string
}

export interface OptionStore {
  /** The stored text of each option requested; undefined: nothing is stored. */
  read(options: readonly Registered[]): Promise<ReadonlyMap<string, StoredText>>
  /** All or nothing. */
  write(writes: readonly OptionWrite[]): Promise<void>
  /** Only where nothing is stored yet. */
  writeMissing(writes: readonly OptionWrite[]): Promise<void>
  /** Writes what `make` makes of the stored texts, which nobody else changes meanwhile. */
  change(locks: readonly OptionWrite[], make: MakeWrites): Promise<void>
}

/** Gets the stored text of each option, else the one it was given as. Runs inside the transaction. */
type MakeWrites = (texts: Readonly<Record<string, string>>) => readonly OptionWrite[]

/** A secret that cannot be opened carries the error instead. */
type StoredText = { readonly text: string | undefined } | { readonly error: unknown }

interface OptionRow {
  readonly key: string
  readonly value: string
  readonly sealed: boolean
}

interface LockedRow extends OptionRow {
  /** Nothing was stored. */
  readonly made: boolean
}

interface StoreDependencies {
  readonly knex: Knex
  readonly changes: Changes
  readonly secrets: SecretBox
}

export function optionStore({ knex }: Database, changes: Changes, secrets: SecretBox): OptionStore {
  const dependencies = { knex, changes, secrets }
  return {
    read: (options) => readTexts(options, dependencies),
    write: (writes) =>
      writeWith(writes, dependencies, (trx, rows) =>
        trx('options').insert(rows).onConflict('key').merge().returning('key'),
      ),
    writeMissing: (writes) =>
      writeWith(writes, dependencies, (trx, rows) =>
        trx('options').insert(rows).onConflict('key').ignore().returning('key'),
      ),
    change: (locks, make) => changeLocked(locks, make, dependencies),
  }
}

async function readTexts(
  options: readonly Registered[],
  { knex, secrets }: StoreDependencies,
): Promise<ReadonlyMap<string, StoredText>> {
  const keys = options.map(({ key }) => key)
  const rows = await knex('options')
    .select<OptionRow[]>('key', 'value', 'sealed')
    .whereIn('key', keys)
  const found = new Map(rows.map((row) => [row.key, textOf(row, secrets)]))
  return new Map(keys.map((key) => [key, found.get(key) ?? { text: undefined }]))
}

async function writeWith(
  writes: readonly OptionWrite[],
  { knex, changes, secrets }: StoreDependencies,
  insert: (trx: Knex.Transaction, rows: readonly object[]) => Promise<readonly { key: string }[]>,
): Promise<void> {
  if (writes.length === 0) return
  await knex.transaction(async (trx) => {
    const rows = inOrder(writes).map((write) => rowOf(write, trx, secrets))
    for (const { key } of await insert(trx, rows)) await changes.note(trx, topic, key)
  })
}

async function changeLocked(
  locks: readonly OptionWrite[],
  make: MakeWrites,
  { knex, changes, secrets }: StoreDependencies,
): Promise<void> {
  await knex.transaction(async (trx) => {
    const rows = await locked(trx, locks, secrets)
    const writes = inOrder(make(textsOf(rows, secrets)))
    const changed = new Set(writes.map(({ option }) => option.key))
    for (const write of writes) {
      await trx('options')
        .where('key', write.option.key)
        .update(rowOf(write, trx, secrets))
      await changes.note(trx, topic, write.option.key)
    }
    const unused = rows.filter(({ key, made }) => made && !changed.has(key)).map(({ key }) => key)
    if (unused.length > 0) await trx('options').whereIn('key', unused).delete()
  })
}

/** An option that is not stored yet gets a row for the time being, since only a row can be locked. */
async function locked(
  trx: Knex.Transaction,
  locks: readonly OptionWrite[],
  secrets: SecretBox,
): Promise<readonly LockedRow[]> {
  const rows = inOrder(locks).map((lock) => ({
    ...rowOf(lock, trx, secrets),
    updated_at: trx.raw("'-infinity'"),
  }))
  return trx('options')
    .insert(rows)
    .onConflict('key')
    .merge(['key'])
    .returning(['key', 'value', 'sealed', trx.raw("updated_at = '-infinity' AS made")])
}

/** A secret that cannot be opened any more is left out: it can still be written anew. */
function textsOf(rows: readonly LockedRow[], secrets: SecretBox): Readonly<Record<string, string>> {
  const texts = rows.flatMap((row) => {
    const stored = textOf(row, secrets)
    return 'error' in stored ? [] : [[row.key, stored.text ?? ''] as const]
  })
  return Object.fromEntries(texts)
}

function textOf({ key, value, sealed }: OptionRow, secrets: SecretBox): StoredText {
  if (!sealed) return { text: value }
  try {
    return { text: secrets.open(placeOf(key), value) }
  } catch (error) {
    return { error }
  }
}

function rowOf({ option, text }: OptionWrite, trx: Knex.Transaction, secrets: SecretBox) {
  const { key, field } = option
  const sealed = field.type === 'secret'
  const value = sealed ? secrets.seal(placeOf(key), text) : text
  return { key, value, sealed, updated_at: trx.fn.now() }
}

function placeOf(key: string): string {
  return `options:${key}:value`
}

/** Every writer locks rows in the same order, so that two never wait for each other. */
function inOrder(writes: readonly OptionWrite[]): readonly OptionWrite[] {
  return [...writes].sort((left, right) => (left.option.key < right.option.key ? -1 : 1))
}

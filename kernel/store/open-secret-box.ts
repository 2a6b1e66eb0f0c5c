/**
 * The secrets of an installation, opened with the right master key or not at all. Fingerprints of the keys in use stand
 * in the database: one, or two from the first start with another key until nothing of the key before is left.
 */
import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import type { Database } from '../contract/services/database.js'
import type { SecretBox } from '../contract/services/secrets.js'
import {
  type KeySources,
  type MasterKey,
  MasterKeyRefused,
  masterKey,
  previousKey,
} from './master-key.js'
import { createSeals, createSecretBox, prefixOf, type Seals } from './secret-box.js'

export interface SecretBoxOptions extends KeySources {
  readonly database: Pick<Database, 'knex'>
}

export interface OpenedSecrets {
  readonly secrets: SecretBox
  /** The key that was in use before is at hand: what it sealed is to be sealed anew. */
  readonly rotation?: Rotation
}

export interface Rotation {
  readonly secrets: Pick<SecretBox, 'seal' | 'openText'>
  /** What every envelope of the key before begins with. */
  readonly oldPrefix: string
  /** Where the key before stands, in words for the operator. */
  readonly from: string
  /** Notes that nothing of the key before is left: from now on a start needs the key of now alone. */
  finish(): Promise<void>
}

const current = 'master key fingerprint'
const next = 'master key fingerprint, next'
const root = 'derivation root'
/** Where the root of derived keys is sealed. */
export const rootPlace = (name: string) => `facts:${name}:value`

/** Rejects with `MasterKeyRefused` when something in the database was sealed with a key that is not given. */
export async function openSecretBox(options: SecretBoxOptions): Promise<OpenedSecrets> {
  const { knex } = options.database
  const isInUse = (await factOf(knex, current)) !== undefined
  const own = await masterKey(options, isInUse)
  // Written down unless another process just did.
  if (!isInUse) await keep(knex, current, own.fingerprint)
  const inUse = await keysInUse(knex)
  const others = inUse.all.filter((fingerprint) => fingerprint !== own.fingerprint)
  const requested = others.length > 0 || options.cryptoSecretPrevious !== undefined
  const previous = requested ? await previousKey(options) : undefined
  if (others.some((fingerprint) => fingerprint !== previous?.fingerprint)) {
    throw new MasterKeyRefused(refusal(own, previous, inUse))
  }
  if (previous === undefined || previous.fingerprint === own.fingerprint) {
    return { secrets: await boxOf(knex, createSeals(own.key)) }
  }
  if (inUse.current !== own.fingerprint) await announce(knex, own, previous)
  const secrets = await boxOf(knex, createSeals(own.key, [previous.key]))
  return { secrets, rotation: rotationOf(knex, secrets, own, previous) }
}

interface KeysInUse {
  readonly current: string
  /** The key everything is being sealed with anew. */
  readonly next?: string
  readonly all: readonly string[]
}

async function keysInUse(knex: Knex): Promise<KeysInUse> {
  const rows = await knex<Fact>('facts').whereIn('name', [current, next])
  const values = new Map(rows.map(({ name, value }) => [name, value]))
  return {
    current: values.get(current) ?? '',
    next: values.get(next),
    all: [...values.values()],
  }
}

/** From now on a start needs both keys. Two processes that come with different new keys: one is refused. */
async function announce(knex: Knex, own: MasterKey, previous: MasterKey): Promise<void> {
  await knex<Fact>('facts')
    .insert({ name: next, value: own.fingerprint })
    .onConflict('name')
    .merge()
    .where('facts.value', previous.fingerprint)
  const inUse = await keysInUse(knex)
  const isDone = inUse.current === own.fingerprint
  if (!isDone && inUse.next !== own.fingerprint) {
    throw new MasterKeyRefused(refusal(own, previous, inUse))
  }
}

function rotationOf(knex: Knex, secrets: SecretBox, own: MasterKey, previous: MasterKey): Rotation {
  return {
    secrets,
    oldPrefix: prefixOf(previous.key),
    from: previous.from,
    async finish() {
      await knex<Fact>('facts').where({ name: current }).update({ value: own.fingerprint })
      await knex<Fact>('facts').where({ name: next }).delete()
    },
  }
}

/** Derived keys come from a secret drawn once, so that what was hashed with them outlives the master key. */
async function boxOf(knex: Knex, seals: Seals): Promise<SecretBox> {
  const place = rootPlace(root)
  const sealed =
    (await factOf(knex, root)) ??
    (await keep(knex, root, seals.seal(place, randomBytes(32).toString('base64'))))
  return createSecretBox(seals, Buffer.from(seals.openText(place, sealed), 'base64'))
}

/** Writes a fact down unless it stands already; answers the one that stands. */
async function keep(knex: Knex, name: string, value: string): Promise<string> {
  await knex<Fact>('facts').insert({ name, value }).onConflict('name').ignore()
  return (await factOf(knex, name)) ?? value
}

async function factOf(knex: Knex, name: string): Promise<string | undefined> {
  const row = await knex<Fact>('facts').where({ name }).first()
  return row?.value
}

interface Fact {
  readonly name: string
  readonly value: string
}

function refusal(own: MasterKey, previous: MasterKey | undefined, inUse: KeysInUse): string {
  if (inUse.next === own.fingerprint) {
    return (
      'The secrets in the database are still being sealed anew with this key. Set CRYPTO_SECRET_PREVIOUS ' +
      'to the one before, until the log says that it is not needed any more.'
    )
  }
  if (inUse.current === own.fingerprint) {
    return (
      'Secrets in the database are sealed with a newer key already. Set CRYPTO_SECRET to the newer one ' +
      'and CRYPTO_SECRET_PREVIOUS to this one.'
    )
  }
  const given =
    previous === undefined
      ? `${own.from} is not the key`
      : `Neither ${own.from} nor ${previous.from} is the key`
  return (
    `${given} the secrets in the database were sealed with. ` +
    'Start with the one that was in use; several instances of one database need the same CRYPTO_SECRET. ' +
    'To change it, set CRYPTO_SECRET_PREVIOUS to the one that was in use.'
  )
}

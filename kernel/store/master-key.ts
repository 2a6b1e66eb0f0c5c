/**
 * Where the master key of an installation comes from: CRYPTO_SECRET, else `secret.key` in DATA_DIR, made once. Its
 * fingerprint stands in the database, so that a start with another key is refused before anything is sealed with it.
 */
import { randomBytes, randomUUID, scrypt } from 'node:crypto'
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Database, SecretBox } from '../contract/service.js'
import { createSecretBox, fingerprintOf } from './secret-box.js'

/** The key cannot be used. The sentence is for the operator. */
export class MasterKeyRefused extends Error {
  override readonly name = 'MasterKeyRefused'
}

export interface SecretBoxOptions {
  readonly database: Pick<Database, 'knex'>
  /** CRYPTO_SECRET. */
  readonly cryptoSecret?: string
  readonly dataDir: string
}

const fact = 'master key fingerprint'
const secretLengthMin = 16
const keyBytes = 32

/** Rejects with `MasterKeyRefused` when the database was sealed with another key. */
export async function openSecretBox(options: SecretBoxOptions): Promise<SecretBox> {
  const known = await knownFingerprint(options.database)
  const master = options.cryptoSecret
    ? await stretched(options.cryptoSecret)
    : await keyOfFile(options.dataDir, known)
  const own = fingerprintOf(master)
  if ((known ?? (await settle(options.database, own))) !== own) throw otherKey(options)
  return createSecretBox(master)
}

async function stretched(secret: string): Promise<Buffer> {
  if (secret === 'random_string') {
    throw new MasterKeyRefused(
      'CRYPTO_SECRET is the placeholder "random_string". Set it to a random text of your own.',
    )
  }
  if (secret.length < secretLengthMin) {
    throw new MasterKeyRefused(
      `CRYPTO_SECRET is shorter than ${secretLengthMin} characters. Set it to a longer random text.`,
    )
  }
  const stretch = promisify<string, string, number, Buffer>(scrypt)
  return await stretch(secret, 'waybill master key', keyBytes)
}

async function keyOfFile(dataDir: string, known: string | undefined): Promise<Buffer> {
  const path = join(dataDir, 'secret.key')
  const text = (await textOf(path)) ?? (await madeOnce(dataDir, path, known))
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length === keyBytes) return key
  throw new MasterKeyRefused(`${path} does not hold a key. Restore it from a backup.`)
}

async function madeOnce(dataDir: string, path: string, known: string | undefined): Promise<string> {
  if (known !== undefined) {
    throw new MasterKeyRefused(
      `The secrets in the database are sealed, but there is neither CRYPTO_SECRET nor ${path}. ` +
        'Restore the one that was in use.',
    )
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomUUID()}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(keyBytes).toString('base64')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  // Only a whole file ever stands at the path, and never in place of one that is there.
  await link(draft, path).catch(ignoreExisting)
  await unlink(draft)
  return await readFile(path, 'utf8')
}

async function knownFingerprint({ knex }: Pick<Database, 'knex'>): Promise<string | undefined> {
  const row = await knex<Fact>('facts').where({ name: fact }).first()
  return row?.value
}

/** Writes the fingerprint down unless another process just did; answers the one that stands. */
async function settle(database: Pick<Database, 'knex'>, own: string): Promise<string | undefined> {
  await database.knex<Fact>('facts').insert({ name: fact, value: own }).onConflict('name').ignore()
  return await knownFingerprint(database)
}

interface Fact {
  readonly name: string
  readonly value: string
}

function otherKey({ cryptoSecret, dataDir }: SecretBoxOptions): MasterKeyRefused {
  const given = cryptoSecret ? 'CRYPTO_SECRET' : `The key in ${join(dataDir, 'secret.key')}`
  return new MasterKeyRefused(
    `${given} is not the key the secrets in the database were sealed with. ` +
      'Start with the one that was in use; several instances of one database need the same CRYPTO_SECRET.',
  )
}

function textOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  })
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
}

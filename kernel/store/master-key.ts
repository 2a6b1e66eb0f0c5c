/**
 * Where the master key of an installation comes from: CRYPTO_SECRET, else `secret.key` in DATA_DIR, made once. The one
 * that was in use before may stand beside it, so that what it sealed can be opened and sealed anew.
 */
import { randomBytes, randomUUID, scrypt } from 'node:crypto'
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fingerprintOf } from './secret-box.js'

/** The key cannot be used. The sentence is for the operator. */
export class MasterKeyRefused extends Error {
  override readonly name = 'MasterKeyRefused'
}

export interface KeySources {
  /** CRYPTO_SECRET. */
  readonly cryptoSecret?: string
  /** CRYPTO_SECRET_PREVIOUS. */
  readonly cryptoSecretPrevious?: string
  readonly dataDir: string
}

export interface MasterKey {
  readonly key: Buffer
  readonly fingerprint: string
  /** Where it stands, in words for the operator. */
  readonly from: string
}

const secretLengthMin = 16
const keyBytes = 32

/** @param isInUse something was sealed before, so that a key made now could not be the right one */
export async function masterKey(sources: KeySources, isInUse: boolean): Promise<MasterKey> {
  const { cryptoSecret, dataDir } = sources
  if (cryptoSecret) return stretched(cryptoSecret, 'CRYPTO_SECRET')
  const path = pathIn(dataDir)
  const key = await keyAt(path)
  if (key !== undefined) return key
  if (!isInUse) return madeOnce(dataDir, path)
  throw new MasterKeyRefused(
    `The secrets in the database are sealed, but there is neither CRYPTO_SECRET nor ${path}. ` +
      'Restore the one that was in use.',
  )
}

/** CRYPTO_SECRET_PREVIOUS, else the file of an installation that has a CRYPTO_SECRET now. */
export async function previousKey(sources: KeySources): Promise<MasterKey | undefined> {
  const { cryptoSecret, cryptoSecretPrevious, dataDir } = sources
  if (cryptoSecretPrevious) return stretched(cryptoSecretPrevious, 'CRYPTO_SECRET_PREVIOUS')
  return cryptoSecret ? keyAt(pathIn(dataDir)) : undefined
}

async function stretched(secret: string, name: string): Promise<MasterKey> {
  if (secret === 'random_string') {
    throw new MasterKeyRefused(
      `${name} is the placeholder "random_string". Set it to a random text of your own.`,
    )
  }
  if (secret.length < secretLengthMin) {
    throw new MasterKeyRefused(
      `${name} is shorter than ${secretLengthMin} characters. Set it to a longer random text.`,
    )
  }
  const stretch = promisify<string, string, number, Buffer>(scrypt)
  return named(await stretch(secret, 'waybill master key', keyBytes), name)
}

function named(key: Buffer, from: string): MasterKey {
  return { key, fingerprint: fingerprintOf(key), from }
}

function pathIn(dataDir: string): string {
  return join(dataDir, 'secret.key')
}

/** Undefined: there is no file. */
async function keyAt(path: string): Promise<MasterKey | undefined> {
  const text = await textOf(path)
  if (text === undefined) return undefined
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length === keyBytes) return named(key, path)
  throw new MasterKeyRefused(`${path} does not hold a key. Restore it from a backup.`)
}

async function madeOnce(dataDir: string, path: string): Promise<MasterKey> {
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
  return (await keyAt(path))!
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

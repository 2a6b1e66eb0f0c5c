/**
 * Envelopes for secrets at rest: AES-256-GCM, text of the form `v1.<key id>.<nonce, ciphertext and tag>`. The place a
 * secret belongs to is authenticated with it, so an envelope copied to another row does not open there.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { SecretBox } from '../contract/services/secrets.js'

/** An envelope that does not open: made for another place, with another key, or damaged. */
class SealBroken extends Error {
  override readonly name = 'SealBroken'
}

export type Seals = Pick<SecretBox, 'seal' | 'open' | 'openText'>

const version = 'v1'
const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/**
 * Seals with one key and opens what it sealed, or one of `others`.
 * @param master 32 bytes; every key in use is derived from it under a label of its own
 */
export function createSeals(master: Buffer, others: readonly Buffer[] = []): Seals {
  const { keyId, sealing } = sealingKeyOf(master)
  const prefix = prefixOf(master)
  const known = new Map([...others, master].map((key) => [keyIdOf(key), sealingKeyOf(key)]))

  function open(place: string, sealed: string): string {
    const parts = sealed.split('.')
    const envelope = Buffer.from(parts[2] ?? '', 'base64url')
    if (parts.length !== 3 || parts[0] !== version || envelope.length < nonceBytes + tagBytes) {
      throw new SealBroken(`The secret of ${place} is not an envelope of this program.`)
    }
    const key = known.get(parts[1] ?? '')
    if (key === undefined) {
      throw new SealBroken(`The secret of ${place} was sealed with another key.`)
    }
    return decrypt({ ...key, envelope, place })
  }

  return {
    seal: (place, secret) => {
      const nonce = randomBytes(nonceBytes)
      const encryption = createCipheriv(cipher, sealing, nonce).setAAD(boundTo(keyId, place))
      const sealed = [nonce, encryption.update(secret, 'utf8'), encryption.final()]
      const envelope = Buffer.concat([...sealed, encryption.getAuthTag()])
      return `${prefix}${envelope.toString('base64url')}`
    },
    open,
    openText: open,
  }
}

/** @param root 32 bytes that stay when the master key changes; keys for purposes are derived from it */
export function createSecretBox(seals: Seals, root: Buffer): SecretBox {
  return { ...seals, derive: (purpose) => derive(root, `purpose:${purpose}`) }
}

/** Tells keys apart without telling anything about them; 32 hexadecimal digits. */
export function fingerprintOf(master: Buffer): string {
  return derive(master, 'fingerprint').toString('hex').slice(0, 32)
}

/** What every envelope of a key begins with. */
export function prefixOf(master: Buffer): string {
  return `${version}.${keyIdOf(master)}.`
}

interface SealingKey {
  readonly keyId: string
  readonly sealing: Buffer
}

function sealingKeyOf(master: Buffer): SealingKey {
  return { keyId: keyIdOf(master), sealing: derive(master, 'seal') }
}

function keyIdOf(master: Buffer): string {
  return fingerprintOf(master).slice(0, 8)
}

interface Sealed extends SealingKey {
  readonly envelope: Buffer
  readonly place: string
}

function decrypt({ sealing, envelope, keyId, place }: Sealed): string {
  const nonce = envelope.subarray(0, nonceBytes)
  const secret = envelope.subarray(nonceBytes, -tagBytes)
  const decryption = createDecipheriv(cipher, sealing, nonce, { authTagLength: tagBytes })
    .setAAD(boundTo(keyId, place))
    .setAuthTag(envelope.subarray(-tagBytes))
  try {
    return Buffer.concat([decryption.update(secret), decryption.final()]).toString('utf8')
  } catch (error) {
    throw new SealBroken(`The secret of ${place} is damaged or belongs to another place.`, {
      cause: error,
    })
  }
}

function boundTo(keyId: string, place: string): Buffer {
  return Buffer.from(`waybill ${version} ${keyId} ${place}`)
}

function derive(master: Buffer, label: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, 'waybill', label, 32))
}

/**
 * An authenticator in software: makes passkeys and signs with them as a device behind a browser does, attestation
 * "none". What it states can be bent, as an attacker's would be.
 */
import {
  createHash,
  createPrivateKey,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

type Cbor = Parameters<typeof isoCBOR.encode>[0]

export interface PasskeyBent {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly userVerified?: boolean
  /** What the device states it counted; default: one more than before. */
  readonly counter?: number
  readonly userHandle?: string
  /** The format of an attestation nobody requested, and its statement. */
  readonly attestation?: { readonly format: string; readonly statement: Map<string, Cbor> }
}

interface CreationOptions {
  readonly challenge: string
  readonly rp: { readonly id?: string }
  readonly user: { readonly id: string }
}

interface RequestOptions {
  readonly challenge: string
  readonly rpId?: string
}

export class Passkey {
  readonly id = randomBytes(32).toString('base64url')
  counter = 0
  private readonly key: KeyObject
  private readonly point: { readonly x: string; readonly y: string }
  private userHandle = ''

  /** @param origin of the page the browser shows */
  constructor(private readonly origin: string) {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.key = createPrivateKey(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const { x = '', y = '' } = pair.publicKey.export({ format: 'jwk' })
    this.point = { x, y }
  }

  create(options: CreationOptions, bent: PasskeyBent = {}) {
    this.userHandle = options.user.id
    const data = Buffer.concat([
      this.head(bent.rpId ?? options.rp.id ?? '', 0x40, bent),
      Buffer.alloc(16),
      Buffer.from([0, 32]),
      Buffer.from(this.id, 'base64url'),
      this.coseKey(),
    ])
    const { format = 'none', statement = new Map<string, Cbor>() } = bent.attestation ?? {}
    const attestation = new Map<string, Cbor>([
      ['fmt', format],
      ['attStmt', statement],
      ['authData', Uint8Array.from(data)],
    ])
    return this.answer({
      clientDataJSON: this.clientData('webauthn.create', options.challenge, bent),
      attestationObject: Buffer.from(isoCBOR.encode(attestation)).toString('base64url'),
      transports: ['internal', 'hybrid'],
    })
  }

  get(options: RequestOptions, bent: PasskeyBent = {}) {
    const data = this.head(bent.rpId ?? options.rpId ?? '', 0, bent)
    const clientDataJSON = this.clientData('webauthn.get', options.challenge, bent)
    const clientHash = createHash('sha256')
      .update(Buffer.from(clientDataJSON, 'base64url'))
      .digest()
    const signature = createSign('sha256')
      .update(Buffer.concat([data, clientHash]))
      .sign(this.key)
    return this.answer({
      clientDataJSON,
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: bent.userHandle ?? this.userHandle,
    })
  }

  private answer<T extends object>(response: T) {
    const { id } = this
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response } as const
  }

  private clientData(type: string, challenge: string, bent: PasskeyBent): string {
    const origin = bent.origin ?? this.origin
    const content = { type, challenge: bent.challenge ?? challenge, origin, crossOrigin: false }
    return Buffer.from(JSON.stringify(content)).toString('base64url')
  }

  /** Flags: user present, user verified, may be and is backed up. */
  private head(rpId: string, flags: number, { userVerified = true, counter }: PasskeyBent): Buffer {
    this.counter = counter ?? this.counter + 1
    const bytes = Buffer.alloc(5)
    bytes.writeUInt8(flags | 0x01 | 0x08 | 0x10 | (userVerified ? 0x04 : 0))
    bytes.writeUInt32BE(this.counter, 1)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), bytes])
  }

  /** EC2, ES256, P-256. */
  private coseKey(): Buffer {
    const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'base64url'))
    const key = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(this.point.x)],
      [-3, bytes(this.point.y)],
    ])
    return Buffer.from(isoCBOR.encode(key))
  }
}

/**
 * Certificate and key of the gateway's own TLS, as PEM files: read, checked against each other, and refused with a sentence
 * that names the variable. What the files hold is never repeated.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { TlsFiles } from '../contract/services/system.js'

export interface Certificate {
  /** The gateway's own certificate first, then those between it and its authority. */
  readonly cert: Buffer
  readonly key: Buffer
  /** Unix milliseconds. */
  readonly validFrom: number
  readonly validTo: number
}

/** From TLS 1.2 on; what is older has faults of its own. */
export const tlsVersionMin = 'TLSv1.2'

/** Throws an `Error` with a sentence for the operator. */
export function readCertificate({ certFile, keyFile }: TlsFiles): Certificate {
  const cert = contentOf('TLS_CERT', certFile)
  const key = contentOf('TLS_KEY', keyFile)
  const [own] = certificatesIn(cert, certFile)
  if (!own!.checkPrivateKey(privateKeyIn(key, keyFile))) {
    throw new Error(
      `TLS_KEY: ${keyFile} is not the key of the first certificate in ${certFile}, which TLS_CERT names.`,
    )
  }
  try {
    createSecureContext({ cert, key, minVersion: tlsVersionMin })
  } catch {
    throw new Error(`TLS_CERT: the certificate in ${certFile} cannot be used for TLS.`)
  }
  return { cert, key, validFrom: Date.parse(own!.validFrom), validTo: Date.parse(own!.validTo) }
}

function contentOf(variable: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new Error(`${variable}: ${file} cannot be read (${code}).`)
  }
}

function certificatesIn(pem: Buffer, file: string): readonly X509Certificate[] {
  const blocks = pem
    .toString('latin1')
    .match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)
  try {
    if (blocks !== null) return blocks.map((block) => new X509Certificate(block))
  } catch {
    // Said below.
  }
  throw new Error(`TLS_CERT: ${file} holds no certificate in PEM form.`)
}

function privateKeyIn(pem: Buffer, file: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    const fault = pem.includes('ENCRYPTED')
      ? 'is locked by a passphrase, which nobody can type at the start; store the key without one'
      : 'holds no private key in PEM form'
    throw new Error(`TLS_KEY: ${file} ${fault}.`)
  }
}

/**
 * Signatures of webhooks, verified here by PayPal's certificate: RSA-SHA256 of
 * `transmission id|time|webhook id|CRC-32 of the body`. The certificate is fetched from PayPal's own host alone.
 */
import { verify, X509Certificate } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { OutgoingKit } from '../../../kernel/contract/kit.js'
import type { PaymentCallback } from '../../../kernel/contract/payment.js'

/** PayPal repeats for three days. */
const ageMaxMs = 3 * 86_400_000 + 3_600_000
const aheadMaxMs = 300_000
const certificatesMax = 8

interface Expected {
  readonly webhookId: string
  readonly isTest: boolean
  readonly now: number
}

export type Verify = (
  callback: Pick<PaymentCallback, 'headers' | 'body'>,
  expected: Expected,
) => Promise<boolean>

/** The result rejects where the certificate cannot be fetched now. */
export function createVerify(fetch: OutgoingKit['fetch']): Verify {
  const kept = new Map<string, X509Certificate>()

  async function certificate(url: string): Promise<X509Certificate | undefined> {
    const known = kept.get(url)
    if (known !== undefined) return known
    const response = await fetch(url, { bytesMax: 65_536 })
    if (response.status >= 500) throw new Error('PayPal did not return its certificate.')
    const found = response.ok ? certificateIn(await response.text()) : undefined
    if (found === undefined) return undefined
    if (kept.size >= certificatesMax) kept.clear()
    kept.set(url, found)
    return found
  }

  return async ({ headers, body }, { webhookId, isTest, now }) => {
    const { 'paypal-transmission-id': id = '', 'paypal-transmission-time': time = '' } = headers
    const { 'paypal-cert-url': url = '', 'paypal-transmission-sig': given = '' } = headers
    if (headers['paypal-auth-algo'] !== 'SHA256withRSA') return false
    if (id === '' || given === '' || !isFresh(time, now) || !isCertificate(url, isTest))
      return false
    const found = await certificate(url)
    if (found === undefined || !isValidAt(found, now)) return false
    const text = `${id}|${time}|${webhookId}|${crc32(body)}`
    return verify('sha256', Buffer.from(text), found.publicKey, Buffer.from(given, 'base64'))
  }
}

function isFresh(time: string, now: number): boolean {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(time)) return false
  const at = Date.parse(time)
  return at >= now - ageMaxMs && at <= now + aheadMaxMs
}

function isCertificate(url: string, isTest: boolean): boolean {
  const prefix = `https://api.${isTest ? 'sandbox.' : ''}paypal.com/v1/notifications/certs/`
  return url.startsWith(prefix) && /^[A-Za-z0-9-]{1,100}$/.test(url.slice(prefix.length))
}

function certificateIn(text: string): X509Certificate | undefined {
  try {
    const found = new X509Certificate(text)
    return found.publicKey.asymmetricKeyType === 'rsa' ? found : undefined
  } catch {
    return undefined
  }
}

function isValidAt({ validFrom, validTo }: X509Certificate, now: number): boolean {
  return Date.parse(validFrom) <= now && now <= Date.parse(validTo)
}

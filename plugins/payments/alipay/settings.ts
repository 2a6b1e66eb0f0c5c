/** The settings as the gateway needs them. */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { Settings } from '../../../kernel/contract/kit.js'
import type { PaymentOffer } from '../../../kernel/contract/payment.js'
import { amountOf } from '../../../kernel/toolkit/json/index.js'

export interface Merchant {
  readonly appId: string
  readonly sellerId: string
  readonly appKey: KeyObject
  readonly platformKey: KeyObject
  readonly isTest: boolean
}

/** Undefined: something is missing or unreadable without which callbacks could not be verified (M22). */
export function merchantOf(settings: Settings): Merchant | undefined {
  const appId = settings.string('appId').trim()
  const sellerId = settings.string('sellerId').trim()
  const appKey = keyOf(settings.string('appKey'), 'private')
  const platformKey = keyOf(settings.string('platformKey'), 'public')
  if (appId === '' || sellerId === '' || appKey === undefined || platformKey === undefined) {
    return undefined
  }
  return { appId, sellerId, appKey, platformKey, isTest: settings.boolean('sandbox') }
}

export function offerOf(settings: Settings, { isTest }: Merchant): PaymentOffer | undefined {
  const unitPrice = amountOf(String(settings.number('unitPrice')))
  const amountMin = amountOf(String(settings.number('amountMin')))
  if (unitPrice === undefined || amountMin === undefined) return undefined
  return { currency: 'CNY', unitPrice, amountMin, isTest }
}

/** Keys come as PEM, or as the base64 of PKCS #8, PKCS #1 (private) or SPKI (public). */
function keyOf(text: string, kind: 'private' | 'public'): KeyObject | undefined {
  const given = text.trim()
  if (given === '' || (kind === 'public' && given.includes('PRIVATE'))) return undefined
  const labels = kind === 'private' ? ['PRIVATE KEY', 'RSA PRIVATE KEY'] : ['PUBLIC KEY']
  const forms = given.startsWith('-----') ? [given] : labels.map((label) => pem(given, label))
  for (const form of forms) {
    try {
      const key = kind === 'private' ? createPrivateKey(form) : createPublicKey(form)
      if (key.asymmetricKeyType === 'rsa') return key
    } catch {
      // The next form is tried.
    }
  }
  return undefined
}

function pem(base64: string, label: string): string {
  const lines = base64.replace(/\s+/g, '').match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}

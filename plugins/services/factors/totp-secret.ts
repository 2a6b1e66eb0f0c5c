/** The secret an app and the gateway share, and the form of the codes made of it. */
import { Refusal } from '../../../kernel/toolkit/errors/index.js'

/** As every app knows them. */
export const codeForm = { algorithm: 'SHA1', digits: 6, period: 30 } as const

export const inForce = 'An authenticator app is in force already; disable it first.'

export function conflict(reason: string): Refusal {
  return new Refusal('conflict', { reason })
}

/** What the secret is sealed with. */
export function placeOf(userId: number): string {
  return `totp:${userId}:secret_sealed`
}

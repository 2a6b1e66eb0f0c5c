/** What the ceremonies of WebAuthn have in common: what they need, how long they may take, and how they name an account. */
import { hash } from 'node:crypto'
import type { AuthenticatorTransport } from '@simplewebauthn/server'
import type { Settings } from '../../../kernel/contract/kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { type Challenges, challengeSeconds } from './passkey-challenges.js'
import type { PasskeyHome } from './passkey-home.js'
import type { PasskeyRow, PasskeyRows } from './passkey-rows.js'

export interface CeremonyDependencies {
  readonly passkeys: PasskeyRows
  readonly home: PasskeyHome
  readonly settings: Settings
  readonly challenges: Challenges
}

/** Milliseconds an authenticator has for its part. */
export const timeout = challengeSeconds * 1000

/** Loaded when somebody uses a passkey: it brings much that nothing else needs. */
export const webauthn = () => import('@simplewebauthn/server')

export function requireEnabled(settings: Settings): void {
  if (!settings.boolean('passkeys')) throw new Refusal('feature_off', { what: 'Passkeys' })
}

/** Names a user to authenticators without telling them anything, and stays the same for ever. */
export function handleOf(userId: number): Buffer {
  return hash('sha256', `user of waybill ${userId}`, 'buffer')
}

export function descriptor({ credential_id, transports }: PasskeyRow) {
  const known = transports as AuthenticatorTransport[]
  return { id: credential_id.toString('base64url'), transports: known }
}

export function failed(): Refusal {
  return new Refusal('verification_failed')
}

/** What others see of second factors: an app's codes with recovery codes, and passkeys. */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Knex } from 'knex'
import type { Principal } from '../../../kernel/contract/management.js'

export interface Factors {
  of(userId: number): Promise<FactorsOfUser>
  /**
   * Checks a code of the app, or a recovery code, which is used up by it. Rejects with `verification_failed`, and where
   * strangers failed five times in a row with `factor_locked` for five minutes: strangers alone, and codes of the app
   * alone. A try by somebody known has been counted by the caller.
   */
  check(userId: number, code: string, by: CodeBearer): Promise<'totp' | 'recovery'>
  /** Takes every factor away: an admin's help for who lost theirs, or the end of an account. */
  remove(userId: number, which: 'totp' | 'passkeys' | 'all', trx: Knex.Transaction): Promise<void>
  /** The app of a user, as its owner sees it. */
  totp(userId: number): Promise<TotpState>
  /** A new secret and new recovery codes, shown this once; not in force until `enable`. Rejects with `conflict` where one is in force. */
  setUp(owner: Pick<Principal, 'userId' | 'username'>): Promise<TotpSetup>
  /** Puts what was set up in force with the first code. Rejects as `check`, and with `conflict`. */
  enable(userId: number, code: string, then: Then): Promise<void>
  /** New recovery codes in place of all before, shown this once. The caller checked a code. Rejects with `conflict`. */
  renewRecoveryCodes(userId: number, then: Then): Promise<readonly string[]>
  readonly passkeys: Passkeys
}

/** `known`: an open session of the account, or a browser that had one. */
export type CodeBearer = 'known' | 'stranger'

/** What else happens in the transaction of the change. */
export type Then = (trx: Knex.Transaction) => Promise<unknown>

export interface FactorsOfUser {
  readonly totp: boolean
  readonly passkeys: number
}

export interface TotpState {
  readonly enabled: boolean
  readonly locked: boolean
  readonly recoveryCodes: number
}

export interface TotpSetup {
  /** Base32, to be typed in. */
  readonly secret: string
  /** `otpauth://…`, to be shown as a QR code. */
  readonly url: string
  readonly recoveryCodes: readonly string[]
}

/** Ceremonies of WebAuthn: `begin…` makes a challenge that counts once, `finish…` takes the authenticator's answer. */
export interface Passkeys {
  enabled(): boolean
  list(userId: number): Promise<readonly PasskeyView[]>
  /** Rejects with `feature_off`, and `conflict` at the most passkeys of one user. */
  beginRegistration(owner: SessionOwner): Promise<PublicKeyCredentialCreationOptionsJSON>
  /** `then` runs in the transaction that stores the passkey. Rejects with `verification_failed`. */
  finishRegistration(
    owner: SessionOwner,
    answer: RegistrationResponseJSON,
    name: string,
    then: Then,
  ): Promise<PasskeyView>
  beginLogin(): Promise<PublicKeyCredentialRequestOptionsJSON>
  /** Rejects with `sign_in_expired`, `verification_failed`. */
  finishLogin(answer: AuthenticationResponseJSON): Promise<PasskeyOwner>
  /** For a step-up: one of the user's own passkeys, with PIN or fingerprint. `subject` comes back when it is finished. */
  beginVerification(
    owner: SessionOwner,
    subject: string,
  ): Promise<PublicKeyCredentialRequestOptionsJSON>
  finishVerification(owner: SessionOwner, answer: AuthenticationResponseJSON): Promise<string>
  /** Undefined: the user has no passkey of that number. */
  rename(userId: number, id: number, name: string): Promise<PasskeyView | undefined>
  /**
   * False: the user has no passkey of that number. Rejects with `conflict` where the account would be left without a way
   * in, its password being switched off.
   */
  delete(userId: number, id: number, trx: Knex.Transaction): Promise<boolean>
  /** Rejects with `conflict` unless a user has as many passkeys as an account without password needs: root two, others one. */
  requireEnough(userId: number, trx: Knex.Transaction): Promise<void>
  /** All of one's own. Rejects with `conflict` where the password is switched off. */
  deleteAll(userId: number, trx: Knex.Transaction): Promise<void>
}

/** A user in a live session; challenges count within it alone. */
export type SessionOwner = Pick<Principal, 'userId' | 'username' | 'sessionId'>

export interface PasskeyView {
  readonly id: number
  readonly name: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | undefined
  readonly backedUp: boolean
  /** `singleDevice`, `multiDevice`. */
  readonly deviceType: string
}

export interface PasskeyOwner {
  readonly userId: number
  /** The authenticator required a PIN or fingerprint, so that the passkey is two factors in one. */
  readonly userVerified: boolean
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    factors: Factors
  }
}

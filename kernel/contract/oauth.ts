/**
 * An OAuth provider identifies a person at another service. It never sees a session: the `oauth` service issues the
 * state, binds it to the browser, and decides what the answer means here (AUTH-8, X9).
 */
import type { JsonObject } from './json.js'

export interface OAuthProvider {
  /**
   * Where the browser goes to sign in. Absent for providers whose manifest states `style: "code"`: there the page shows
   * what `OAuthButton` holds, and its result is given to `identify`.
   */
  authorize?(request: AuthorizationRequest): Promise<URL> | URL
  /**
   * Who it was. Rejects with an `Error` whose message the gateway logs; the browser is shown a sentence of the gateway. Where a
   * person typed something wrong, the error is a `TypedWrong`, and the page shows it at the field.
   */
  identify(answer: OAuthAnswer): Promise<OAuthIdentity>
  /** True once the settings suffice for a sign-in; an admin cannot switch an incomplete one on. */
  ready(): boolean
}

export interface AuthorizationRequest {
  /** One-time, opaque. */
  readonly state: string
  /** Where the provider sends the browser back to. */
  readonly redirectUri: string
  /** Of PKCE, method S256. A provider that does not take one may leave it out. */
  readonly codeChallenge: string
  /** What an id token must repeat. */
  readonly nonce: string
}

export interface OAuthAnswer {
  /** What the browser brought back: `code`, or what the hash held. */
  readonly params: Readonly<Record<string, string>>
  readonly redirectUri: string
  readonly codeVerifier: string
  readonly nonce: string
  readonly state: string
}

/** With `style: "code"`: what a person typed is not what the provider knows. */
export interface TypedWrong extends Error {
  /** Which of `OAuthAnswer.params`. */
  readonly field: string
}

export interface OAuthIdentity {
  /** Never changes for a person at this provider, and is nobody else's. */
  readonly subject: string
  readonly username?: string
  readonly displayName?: string
  readonly email?: string
  /** The provider vouches that the address is this person's. */
  readonly emailVerified?: boolean
  /** What rules of access of a provider an admin defined are held against. */
  readonly claims?: JsonObject
}

/** How a manifest states that a person signs in. */
export interface OAuthManifest {
  /** `redirect`: the browser goes there and comes back with a code. `code`: the person types one. `widget`: it comes back with signed fields in the hash, which the page gives to `identify` as they are. */
  readonly style: 'redirect' | 'code' | 'widget'
  /** The setting that switches the provider on. */
  readonly switch?: string
  /** Settings anyone may know, such as a client id: a page that offers the sign-in needs them. */
  readonly facts?: readonly string[]
}

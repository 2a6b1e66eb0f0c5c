/**
 * States of sign-ins under way: each counts once, for ten minutes, for one provider and purpose, in the browser that
 * began it, and a binding for one user in one session (AUTH-8, X9).
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ManagementRequest, Principal } from '../../../kernel/contract/management.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { ownCookie, ownCookieOf, safeRedirect } from '../../../kernel/toolkit/management/index.js'
import type { OneTime } from '../../services/one-time/index.js'
import type { StateForm } from './forms.js'

export const stateSeconds = 600

const kind = 'oauth_state'
const cookieName = 'oauth'

/** What a state stands for; only the gateway ever reads it. */
export interface Begun {
  readonly provider: string
  readonly intent: 'login' | 'bind'
  readonly redirectUri: string
  readonly codeVerifier: string
  readonly nonce: string
  readonly aff: string
  /** A path of this site. */
  readonly redirect: string
}

export interface Issued extends Begun {
  readonly state: string
  readonly codeChallenge: string
  /** Whole `Set-Cookie` value. */
  readonly cookie: string
}

type StateRequest = Pick<ManagementRequest, 'headers' | 'secure'>

interface StateOptions {
  readonly form: StateForm
  readonly redirectUri: string
  /** Of a binding. */
  readonly principal?: Principal
}

export interface States {
  issue(request: StateRequest, options: StateOptions): Promise<Issued>
  /** Takes the state before anything else is looked at; throws `oauth_state_invalid`. */
  take(request: StateRequest, state: string, requested: TakeOptions): Promise<Taken>
}

interface Taken {
  readonly begun: Begun
  /** Of a binding: whom it is for, who makes this request too. */
  readonly binder?: Principal
}

interface TakeOptions {
  readonly provider: string
  /** Asked for only where a user is of matter. */
  principal(): Promise<Principal | undefined>
}

export function states(oneTime: OneTime, alwaysSecure: boolean): States {
  /** One value for every tab of a browser: the one it has, where it has one. */
  function browserOf({ headers, secure }: StateRequest): string | undefined {
    return ownCookieOf(headers.cookie, cookieName, secure || alwaysSecure)
  }

  async function issue(request: StateRequest, { form, redirectUri, principal }: StateOptions) {
    const browser = browserOf(request) ?? drawn()
    const begun: Begun = {
      provider: form.provider,
      intent: form.intent,
      redirectUri,
      codeVerifier: drawn(),
      nonce: drawn(),
      aff: form.aff ?? '',
      redirect: safeRedirect(form.redirect),
    }
    const { userId, sessionId } = principal ?? {}
    const data = { ...begun, browser: digest(browser) }
    const state = await oneTime.issue({ kind, userId, sessionId, data, seconds: stateSeconds })
    const secure = request.secure || alwaysSecure
    const cookie = { name: cookieName, value: browser, secure, sameSite: 'Lax' } as const
    return {
      ...begun,
      state,
      codeChallenge: hash('sha256', begun.codeVerifier, 'base64url'),
      cookie: ownCookie({ ...cookie, maxAgeSeconds: stateSeconds }),
    }
  }

  async function take(request: StateRequest, state: string, { provider, principal }: TakeOptions) {
    const taken = await oneTime.take(kind, state)
    if (taken === undefined) throw invalid()
    const { browser, ...begun } = taken.data as unknown as Begun & { readonly browser: string }
    const shown = browserOf(request)
    if (shown === undefined || !same(digest(shown), browser)) throw invalid()
    if (begun.provider !== provider) throw invalid()
    if (begun.intent !== 'bind') return { begun }
    const binder = await principal()
    const isTheirs = binder?.userId === taken.userId && binder?.sessionId === taken.sessionId
    if (!isTheirs || binder?.sessionId === undefined) throw invalid()
    return { begun, binder }
  }

  return { issue, take }
}

/** 256 bits, as many characters as PKCE requires at least. */
function drawn(): string {
  return randomBytes(32).toString('base64url')
}

function digest(value: string): string {
  return hash('sha256', value, 'base64url')
}

function same(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}

function invalid(): Refusal {
  return new Refusal('oauth_state_invalid', { param: 'state' })
}

/** What the kernel needs of services that only plugins declare. */

import type { Settings } from '../kit.js'
import type { Admitted } from '../line/record.js'
import type { AuditNote, Principal } from '../management.js'
import type { Manifest, RouteManifest } from '../manifest.js'
import type { RequestId } from '../names.js'

/** Who is behind a relayed request. */
export type Caller = Pick<Admitted, 'user' | 'token'>

/** What the kernel requires of the `identity` service: who stands behind a request (AUTH-1, AUTH-2). */
export interface Authenticator {
  /**
   * The token and user behind an API key, from memory where possible; called before a body is read. Throws a `Refusal`, or
   * rejects with one.
   */
  byKey(key: string, address: string): Caller | Promise<Caller>
  /** Undefined: nobody signed in. Reads the current user state each time. */
  principal(request: {
    readonly headers: Readonly<Record<string, string | string[] | undefined>>
    /** It came by HTTPS: the cookie of plain HTTP, which a neighbouring site could have set, counts for nothing. */
    readonly secure?: boolean
    /** The caller's, behind trusted proxies: the last use of an access token names it. */
    readonly address?: string
    /** Asking is no use of the session: it does not keep one alive that nobody uses. */
    readonly unused?: true
    /** Also an admin who has yet to set up the second factor that is required; refused with `second_factor_missing` else. */
    readonly beforeFactor?: true
  }): Promise<Principal | undefined>
}

/** What the kernel requires of the `rate-limits` service: may this request go on (LIMIT-1, LIMIT-3, LIMIT-4, LIMIT-7, API-2)? */
export interface RequestLimiter {
  /**
   * Before the caller is identified. Undefined at once: not limited. Resolves with the headers that report the
   * tightest bucket; rejects with `rate_limit_exceeded`.
   */
  arrived(arrival: Arrival): Promise<RateHeaders> | undefined
  /** The same once it is known who calls (AUTH-4, AUTH-6). No user: the route requires no credential. */
  known(arrival: Arrival, userId?: number): Promise<RateHeaders> | undefined
}

export interface Arrival {
  /** As the manifest of the route states; `web`: a page no route serves. */
  readonly limiter: RouteManifest['limiter'] | 'web'
  /** Name of the route, as `management.users.login`. */
  readonly route: string
  /** The caller's, behind trusted proxies. */
  readonly address: string
}

export type RateHeaders = Readonly<Record<string, string>>

/** What the kernel requires of the `audit` service: every management write that succeeded is recorded (E9). */
export interface Auditor {
  record(entry: AuditEntry): Promise<void>
  /** A sign-in or a proof that failed. Those of a minute become few lines; nothing is waited for. */
  refused(entry: AuditEntry): void
  /** An object as `channel 12` with what it is called now; `id 12` becomes what it is in the area of the action. */
  named?(action: string, object: string): Promise<NamedObject>
}

export interface NamedObject {
  readonly object: string
  /** Absent: it has none, or it is gone. */
  readonly name?: string
}

export interface AuditEntry extends AuditNote {
  readonly requestId: RequestId
  readonly address: string
  /** Absent: nobody was signed in; then `actor` may name who is now. */
  readonly principal?: Principal
  /** Name of the route, as `users.manage`. */
  readonly action: string
  /** What the object was called. */
  readonly objectName?: string
}

/** What the kernel requires of the `options` service: stored settings of every plugin. */
export interface SettingsSource {
  /** A live view over one plugin's declared fields. Usable from `create` on; values are there after `start`. */
  of(manifest: Manifest): Settings
}

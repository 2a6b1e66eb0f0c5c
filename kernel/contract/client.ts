/** The client of a request, and its credential. */
import type { IncomingHttpHeaders } from 'node:http'
import type { User } from './line/people.js'

export interface Client {
  readonly headers: IncomingHttpHeaders
  readonly query: Readonly<Record<string, string | undefined>>
  /** The address of the caller, behind trusted proxies (AUTH-11). */
  readonly address: string
}

/** The client's credential. `none` is refused by auth, with the format's own words. */
export type Credential =
  | { readonly kind: 'key'; readonly key: string }
  /** Signed in by a session, which the endpoint has checked: the Playground (FMT-15). */
  | { readonly kind: 'user'; readonly user: User }
  | { readonly kind: 'none' }

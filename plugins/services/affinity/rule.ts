/** An affinity rule: which requests it is for, where their key stands, and what else the tie depends on. */
import type { BodyPath } from './body-path.js'
import type { Pattern } from './patterns.js'

export interface Rule {
  readonly name: string
  readonly enabled: boolean
  /** Any of them matches; none given: every request fits. The same for the two below. */
  readonly models: readonly Pattern[]
  readonly paths: readonly Pattern[]
  /** Parts of the user agent, in lower case. */
  readonly userAgents: readonly string[]
  /** In order; the first that gives a key counts. */
  readonly sources: readonly KeySource[]
  /** Cuts the key out of what a source gives. Absent: all of it is the key. */
  readonly value?: Pattern
  /** How long a tie lives after its last good answer. Absent: the default of the settings. */
  readonly ttlSeconds?: number
  readonly skipRetry: boolean
  /** What the tie depends on beside user and key. */
  readonly byGroup: boolean
  readonly byModel: boolean
  readonly byRule: boolean
}

export type KeySource =
  | { readonly kind: 'body'; readonly path: BodyPath }
  /** In lower case. */
  | { readonly kind: 'header'; readonly name: string }
  /** The caller, or the caller's group. */
  | { readonly kind: 'user' }
  | { readonly kind: 'group' }

/** What others see of the model registry: what is known of a model by its name, from memory. */
import type { Channel } from '../../../kernel/contract/line/channel.js'
import type { ModelAbout } from '../../../kernel/toolkit/management/index.js'
import type { KnownModel } from './known-models.js'
import type { MergedFacts } from './merged-facts.js'

export type * from './known-models.js'
export type * from './merged-facts.js'

export interface ModelRegistry {
  /** What is known of a model. Any name has an answer. */
  describe(name: string): ModelFacts
  /** What it is: by its entry, else by the table of known models. Made anew by each call. */
  about(name: string): MergedFacts
  /** The table's line for a name. Undefined: the table does not know it. */
  known(name: string): KnownModel | undefined
  /** Another number where anything `describe` knows has changed. */
  revision(): number
  /** What enabled channels serve, by name of the model, in order of name. */
  served(): ReadonlyMap<string, Served>
}

export interface ModelFacts {
  /** The one entry that speaks for the name. Absent: none does. */
  readonly entry?: ModelEntry
  /** Absent: unknown, or switched off. */
  readonly vendor?: Vendor
  /** What it can be called for, in the family's words. */
  readonly endpoints: readonly Endpoint[]
  /** It can be called in any of the chat formats, whatever its upstream speaks. */
  readonly isChat: boolean
  /** An admin switched its entry off: no list shows it. */
  readonly hidden: boolean
}

export interface Endpoint {
  readonly type: string
  /** Absent: not known. */
  readonly path?: string
  readonly method: string
}

export interface ModelEntry {
  readonly id: number
  readonly modelName: string
  readonly rule: NameRule
  readonly description: string
  readonly icon: string
  /** Separated by commas. */
  readonly tags: string
  /** Absent: none is named. */
  readonly vendorId?: number
  /** Absent: read from the name of the model. */
  readonly endpoints?: readonly Endpoint[]
  /** What an admin set; the table of known models says the rest. */
  readonly about: ModelAbout
  readonly enabled: boolean
}

/** How an entry's name is compared with a model's. */
export type NameRule = 'exact' | 'prefix' | 'contains' | 'suffix'

export interface Vendor {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly icon: string
  readonly enabled: boolean
}

export interface Served {
  /** In order of name. */
  readonly groups: readonly string[]
  /** In order of id. */
  readonly channels: readonly Channel[]
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    'model-registry': ModelRegistry
  }
}

/**
 * What admins change of channels and their keys. Each verb is one transaction that locks the rows of channels in order of
 * id before their keys, and every process has received the change before it returns. Throws `Refusal`: `gone_missing`,
 * `invalid_field` and `conflict`, whose `param` is a field of the form.
 */
import type { Knex } from 'knex'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import type { CostTerms } from '../../../../kernel/contract/line/money.js'
import type { ChannelRow } from './channel-model.js'
import type { Destination } from './destination.js'

export type { ChannelRow } from './channel-model.js'
export type { Destination } from './destination.js'

export interface ChannelEdits {
  /** Returns the ids, in the order of the keys. */
  create(creation: Creation, by: AdminName): Promise<readonly number[]>
  /** Returns where calls went before and go now, where that has changed. */
  update(changes: ChannelChanges, by: AdminName, guards: Guards): Promise<Redirected | undefined>
  /** Everything an admin wrote once more, under another name. Returns the id of the copy. */
  copy(id: number, options: CopyOptions): Promise<number>

  /** Numbers of channels found are returned; a status that is there already keeps its reason. */
  setStatus(which: Which, status: 1 | 2, by: AdminName): Promise<number>
  setTag(which: Which, tag: string): Promise<number>
  remove(which: Which): Promise<number>
  /** Those it would leave without a model or a group, and those that are gone, are named and stay as they are. */
  changeMany(ids: readonly number[], change: ManyChanges, by: AdminName): Promise<EditedMany>
  /** Throws `gone_missing` where no channel has the tag. */
  changeTag(changes: TagChanges): Promise<number>
  /** Changes nothing; every process reads every channel again. Returns how many there are. */
  readAgain(): Promise<number>

  /** Rejects where there is no such channel, or it has one key only. */
  requireMultiKey(id: number): Promise<void>
  /** The keys of a channel in their order, sealed. */
  sealedKeys(id: number): Promise<readonly string[]>
  /** Keys of a channel that has several. Returns how many were changed. */
  changeKeys(change: KeyChange, by: AdminName): Promise<number>
  /** What the upstream states is left, in its own currency, as decimal text. */
  saveBalance(id: number, balance: string): Promise<void>
  /** Changes the row as it stands then; nobody else changes it meanwhile. */
  change<T>(id: number, work: (row: ChannelRow) => RowChange<T>): Promise<T>

  /** What of a row anybody may see who sees channels. */
  visible(row: ChannelRow): VisibleDocuments
}

/** Stands where a channel names who switched it off. */
type AdminName = string

/** Channels by id, by tag, or all that are switched off, whoever did it. */
export type Which =
  | { readonly ids: readonly number[] }
  | { readonly tag: string }
  | { readonly off: true }

export interface ChannelForm {
  readonly type?: number
  readonly name?: string
  /** As written: one key, or several in lines or as a JSON array. Blank: as it is. */
  readonly key?: string
  readonly status?: number
  readonly base_url?: string
  readonly models?: readonly string[]
  readonly group?: readonly string[]
  readonly priority?: number
  readonly weight?: number
  readonly model_mapping?: JsonObject
  readonly param_override?: JsonObject
  readonly header_override?: JsonObject
  readonly status_code_mapping?: JsonObject
  readonly setting?: JsonObject
  readonly settings?: JsonObject
  /** Null: what its upstream charges is not known. */
  readonly cost_terms?: CostTerms | null
  readonly tag?: string
  readonly remark?: string
  readonly test_model?: string
  readonly auto_ban?: number
  /** Columns of the family that are fields of the provider here. */
  readonly other?: string
  readonly openai_organization?: string
}

export interface NewChannel extends ChannelForm {
  readonly type: number
  readonly name: string
  readonly key: string
  readonly models: readonly string[]
}

export interface Creation {
  readonly mode: 'single' | 'batch' | 'multi_to_single'
  readonly multi_key_mode: MultiKeyMode
  readonly batch_add_set_key_prefix_2_name: boolean
  readonly channel: NewChannel
}

export type MultiKeyMode = 'random' | 'polling'

export interface ChannelChanges extends ChannelForm {
  readonly id: number
  /** Only for channels of several keys. Absent: what is sent replaces them. */
  readonly key_mode?: 'append' | 'replace'
  readonly multi_key_mode?: MultiKeyMode
}

/** What else must hold for an update. Each throws, and nothing is written; the row is locked. */
export interface Guards {
  /** The row is as the admin saw it. */
  unchanged(row: ChannelRow): void
  /** Stored secrets may go where the change sends them. */
  mayRedirect(redirected: Redirected, trx: Knex.Transaction): Promise<void>
}

/** What would be sent elsewhere: `key`, or `settings.<name>` of a secret field that was not written anew. */
export interface Redirected {
  readonly before: Destination
  readonly after: Destination
  /** Fields that change the destination. */
  readonly changed: readonly string[]
  /** Fields whose stored secrets would go there; none: whoever may edit the channel may do this. */
  readonly secrets: readonly string[]
}

export interface CopyOptions {
  /** Goes on after the name. */
  readonly suffix: string
  readonly reset_balance: boolean
}

/** What is left out stays as it is; a document takes the place of the stored one. */
export interface TagChanges {
  readonly tag: string
  readonly new_tag?: string
  readonly priority?: number
  readonly weight?: number
  readonly model_mapping?: JsonObject
  readonly param_override?: JsonObject
  readonly header_override?: JsonObject
  readonly models?: readonly string[]
  readonly groups?: readonly string[]
}

/** What is left out stays as it is. */
export interface ManyChanges {
  readonly models?: ListChange
  readonly groups?: ListChange
  readonly priority?: number
  readonly weight?: number
  readonly tag?: string
  /** Of what upstreams charge, decimal text; prices of a channel's own stay. Empty: there is none any more. */
  readonly cost_factor?: string
  readonly status?: 1 | 2
}

/** Either another list, or names that come to it and names that go. */
export interface ListChange {
  readonly replace?: readonly string[]
  readonly add?: readonly string[]
  readonly remove?: readonly string[]
}

export interface EditedMany {
  readonly changed: number
  readonly refused: readonly Unchanged[]
}

export interface Unchanged {
  readonly id: number
  /** Empty: it is gone. */
  readonly name: string
  readonly reason: string
}

export type KeyChange =
  | {
      readonly channel_id: number
      readonly action: 'disable_key' | 'enable_key' | 'delete_key'
      /** Place among the channel's keys in order of id, from 0; others move up where one is deleted. */
      readonly key_index?: number
      /** Its own number, which stays. Goes before the place. */
      readonly key_id?: number
    }
  | {
      readonly channel_id: number
      readonly action: 'enable_all_keys' | 'disable_all_keys' | 'delete_disabled_keys'
    }

export interface RowChange<T> {
  /** Absent: nothing is to change. */
  readonly changes?: {
    readonly models?: readonly string[]
    /** Merged into the row's. */
    readonly settings?: JsonObject
  }
  readonly result: T
}

/** Without keys, secret fields and the credentials of the proxy. */
export interface VisibleDocuments {
  readonly setting: JsonObject
  /** Secret fields that are set are blank. */
  readonly settings: JsonObject
  readonly other: string
  readonly openai_organization: string
}

/**
 * Every column that holds envelopes, and the place each is bound to. Whoever seals something into a new column adds it
 * here, else it would not survive a change of the master key.
 */
import { rootPlace } from './open-secret-box.js'

export interface SealedColumn {
  readonly table: string
  /** The primary key. */
  readonly key: string
  readonly column: string
  /** Columns the place is made of, beside the key. */
  readonly facts?: readonly string[]
  /** The column holds an object, whose members may be envelopes. Absent: the column is one. */
  readonly members?: true
  /** As the code that seals and opens there states it. */
  place(row: SealedRow, member: string): string
}

/** Values of the key and the facts. */
export type SealedRow = Readonly<Record<string, unknown>>

export const sealedColumns: readonly SealedColumn[] = [
  {
    table: 'facts',
    key: 'name',
    column: 'value',
    place: ({ name }) => rootPlace(String(name)),
  },
  {
    table: 'options',
    key: 'key',
    column: 'value',
    place: ({ key }) => `options:${key}:value`,
  },
  {
    table: 'channel_keys',
    key: 'id',
    column: 'sealed',
    facts: ['channel_id'],
    place: ({ channel_id }) => `channels:${channel_id}:key`,
  },
  {
    table: 'channels',
    key: 'id',
    column: 'setting',
    members: true,
    // The whole address stands sealed beside the one that is shown.
    place: ({ id }) => `channels:${id}:setting.proxy`,
  },
  {
    table: 'channels',
    key: 'id',
    column: 'settings',
    members: true,
    place: ({ id }, member) => `channels:${id}:settings.${member}`,
  },
  {
    table: 'oauth_providers',
    key: 'id',
    column: 'secret_sealed',
    place: ({ id }) => `oauth_providers:${id}:secret_sealed`,
  },
  {
    table: 'totp',
    key: 'user_id',
    column: 'secret_sealed',
    place: ({ user_id }) => `totp:${user_id}:secret_sealed`,
  },
  {
    table: 'users',
    key: 'id',
    column: 'secrets',
    members: true,
    place: ({ id }, member) => `users:${id}:secrets.${member}`,
  },
  {
    table: 'one_time',
    key: 'hash',
    column: 'data',
    place: ({ hash }) => `one_time:${(hash as Buffer).toString('hex')}:data`,
  },
  {
    table: 'recordings',
    key: 'request_id',
    column: 'client_sealed',
    place: ({ request_id }) => `recordings:${request_id}:client`,
  },
  {
    table: 'recordings',
    key: 'request_id',
    column: 'upstream_sealed',
    place: ({ request_id }) => `recordings:${request_id}:upstream`,
  },
  {
    table: 'redemption_codes',
    key: 'id',
    column: 'code_sealed',
    facts: ['code_hash'],
    place: ({ code_hash }) => `redemption_codes:${(code_hash as Buffer).toString('hex')}:code`,
  },
  {
    table: 'outbox',
    key: 'id',
    column: 'payload',
    facts: ['user_id', 'type'],
    place: ({ user_id, type }) => `outbox:${user_id ?? 'mail'}.${type}:payload`,
  },
  {
    table: 'tasks',
    key: 'id',
    column: 'callback',
    facts: ['task_id'],
    place: ({ task_id }) => `tasks:${task_id}:callback`,
  },
  {
    table: 'tokens',
    key: 'id',
    column: 'key_sealed',
    place: ({ id }) => `tokens:${id}:key`,
  },
]

/** Users as the family's clients read them (management/README.md section 8): never a password hash, a token's or a secret of theirs. */
import type { Knex } from 'knex'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { exact } from '../../../kernel/toolkit/management/index.js'
import type { Ledger, Wallet } from '../ledger/index.js'
import type { UserRecord } from './identity.js'

export interface UserRecordDependencies {
  readonly knex: Knex
  readonly ledger: Ledger
}

type PlaceField =
  | 'github_id'
  | 'discord_id'
  | 'oidc_id'
  | 'wechat_id'
  | 'telegram_id'
  | 'linux_do_id'

/** The family's field by provider; those an admin defined have none. */
const placeFields: Readonly<Record<string, PlaceField>> = {
  github: 'github_id',
  discord: 'discord_id',
  oidc: 'oidc_id',
  wechat: 'wechat_id',
  telegram: 'telegram_id',
  linuxdo: 'linux_do_id',
}

/** Named but empty, so that a client knows that they can be set (AUTH-10). */
/** The addresses give whoever knows them the right to send. */
const blankSecrets = {
  webhook_url: '',
  webhook_secret: '',
  bark_url: '',
  gotify_token: '',
} as const

export function userRecords({ knex, ledger }: UserRecordDependencies) {
  return async (ids: readonly number[]): Promise<ReadonlyMap<number, UserRecord>> => {
    const rows: readonly Row[] = await knex('users').select(columns).whereIn('id', ids)
    const identities: readonly PlaceRow[] = await knex('oauth_identities')
      .whereIn('user_id', ids)
      .whereIn('provider', Object.keys(placeFields))
      .select('user_id', 'provider', 'subject')
    const wallets = await ledger.wallets(ids)
    return new Map(
      rows.map((row) => {
        const places = identities.filter((identity) => identity.user_id === row.id)
        return [row.id, recordOf(row, wallets.get(row.id), places)] as const
      }),
    )
  }
}

/** `quota` is posted − held: what the user can still spend. */
function recordOf(row: Row, wallet: Wallet | undefined, places: readonly PlaceRow[]): UserRecord {
  return {
    id: row.id,
    username: row.username,
    display_name: row.display_name,
    email: row.email,
    email_verified: row.email_verified,
    role: row.role,
    status: row.status,
    group: row.group,
    quota: exact((wallet?.posted ?? 0n) - (wallet?.held ?? 0n)),
    used_quota: exact(wallet?.used ?? 0n),
    request_count: Number(wallet?.requests ?? 0n),
    aff_code: row.aff_code ?? '',
    aff_count: row.aff_count,
    aff_quota: exact(row.aff_quota),
    aff_history_quota: exact(row.aff_history),
    inviter_id: row.inviter_id ?? 0,
    ...placeIds(places),
    setting: JSON.stringify({ ...row.setting, ...blankSecrets }),
    created_at: seconds(row.created_at),
    last_login_at: row.last_login_at === null ? 0 : seconds(row.last_login_at),
  }
}

function placeIds(places: readonly PlaceRow[]) {
  const ids: Record<PlaceField, string> = {
    github_id: '',
    discord_id: '',
    oidc_id: '',
    wechat_id: '',
    telegram_id: '',
    linux_do_id: '',
  }
  for (const { provider, subject } of places) {
    const field = placeFields[provider]
    if (field !== undefined) ids[field] = subject
  }
  return ids
}

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}

interface PlaceRow {
  readonly user_id: number
  readonly provider: string
  readonly subject: string
}

interface Row {
  readonly id: number
  readonly username: string
  readonly display_name: string
  readonly email: string
  readonly email_verified: boolean
  readonly role: number
  readonly status: number
  readonly group: string
  readonly aff_code: string | null
  readonly aff_count: number
  readonly aff_quota: bigint
  readonly aff_history: bigint
  readonly inviter_id: number | null
  readonly setting: JsonObject
  readonly created_at: Date
  readonly last_login_at: Date | null
}

const columns = [
  'id',
  'username',
  'display_name',
  'email',
  'email_verified',
  'role',
  'status',
  'group',
  'aff_code',
  'aff_count',
  'aff_quota',
  'aff_history',
  'inviter_id',
  'setting',
  'created_at',
  'last_login_at',
] as const satisfies readonly (keyof Row)[]

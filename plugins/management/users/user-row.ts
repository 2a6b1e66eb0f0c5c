/** The row of a user, and the record the family's clients read. Never a password hash. */
import { Model } from 'objection'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Wallet } from '../../services/ledger/index.js'

export const roles = { common: 1, admin: 10, root: 100 } as const
export const states = { on: 1, off: 2 } as const

export class UserRow extends Model {
  static override tableName = 'users'

  declare id: number
  declare username: string
  declare password_hash: string
  declare display_name: string
  declare email: string
  declare role: number
  declare status: number
  declare group: string
  declare remark: string
  declare setting: JsonObject
  declare created_at: Date
  declare last_login_at: Date | null
  declare deleted_at: Date | null
}

/** `quota` is posted − held: what the user can still spend. */
export function userRecord(row: UserRow, wallet: Wallet | undefined) {
  return {
    id: row.id,
    username: row.username,
    display_name: row.display_name,
    email: row.email,
    role: row.role,
    status: row.status,
    group: row.group,
    quota: Number((wallet?.posted ?? 0n) - (wallet?.held ?? 0n)),
    used_quota: Number(wallet?.used ?? 0n),
    request_count: Number(wallet?.requests ?? 0n),
    setting: JSON.stringify(row.setting),
    created_at: seconds(row.created_at),
    last_login_at: row.last_login_at === null ? 0 : seconds(row.last_login_at),
  }
}

/** What admins see besides. */
export function adminUserRecord(row: UserRow, wallet: Wallet | undefined) {
  return {
    ...userRecord(row, wallet),
    remark: row.remark,
    DeletedAt: row.deleted_at?.toISOString() ?? null,
  }
}

/** What a login answers. */
export function briefUserRecord(row: UserRow) {
  const { id, username, display_name, role, status, group } = row
  return { id, username, display_name, role, status, group }
}

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}

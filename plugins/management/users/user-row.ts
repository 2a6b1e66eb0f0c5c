/** The row of a user, as far as admins change it. */
import { Model } from 'objection'
import type { UserRecord } from '../../services/identity/index.js'

export const roles = { common: 1, admin: 10, root: 100 } as const
export const states = { on: 1, off: 2 } as const

export class UserRow extends Model {
  static override tableName = 'users'

  declare id: number
  declare username: string
  declare name_skeleton: string | null
  declare password_hash: string
  declare display_name: string
  declare email: string
  declare email_verified: boolean
  declare role: number
  declare status: number
  declare group: string
  declare remark: string
  declare deleted_at: Date | null
}

/** What the family's clients read of a user, and what admins see besides. */
export function adminUserRecord(row: UserRow, record: UserRecord | undefined) {
  return { ...record, remark: row.remark, DeletedAt: row.deleted_at?.toISOString() ?? null }
}

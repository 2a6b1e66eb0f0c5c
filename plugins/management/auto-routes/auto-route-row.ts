/** The row of an auto route, and the record admins read. */
import { Model } from 'objection'

export class AutoRouteRow extends Model {
  static override tableName = 'auto_routes'
  static override idColumn = 'key'

  declare key: string
  declare display_name: string
  declare groups: string[]
  declare user_groups: string[]
  declare enabled: boolean
  declare is_default: boolean
  declare sort_order: number
  declare created_at: Date
  declare updated_at: Date
}

/** `tokens`: how many API keys name it. */
export function autoRouteRecord(row: AutoRouteRow, tokens: number) {
  const { key, display_name, groups, user_groups, enabled, is_default, sort_order } = row
  return {
    key,
    display_name,
    groups,
    user_groups,
    enabled,
    is_default,
    sort_order,
    tokens,
    created_time: Math.floor(row.created_at.getTime() / 1000),
    updated_time: Math.floor(row.updated_at.getTime() / 1000),
  }
}

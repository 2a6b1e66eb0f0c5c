/** The row of a channel as the table holds it; its keys stand in a table of their own. */
import { Model } from 'objection'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import type { CostTerms } from '../../../../kernel/contract/line/money.js'

export class ChannelModel extends Model {
  static override tableName = 'channels'

  declare id: number
  declare type: number
  declare name: string
  declare status: number
  declare status_reason: string
  declare status_at: Date | null
  declare base_url: string
  declare models: string[]
  declare groups: string[]
  declare priority: bigint
  declare weight: number
  declare model_mapping: Readonly<Record<string, string>>
  declare param_override: JsonObject
  declare header_override: JsonObject
  declare status_code_mapping: JsonObject
  declare setting: JsonObject
  declare settings: JsonObject
  declare cost_terms: CostTerms | null
  declare tag: string
  declare remark: string
  declare test_model: string
  declare auto_ban: number
  declare multi_key_mode: string
  declare balance: string | null
  declare balance_updated_at: Date | null
  declare tested_at: Date | null
  declare response_ms: number
  declare created_at: Date
}

/** The row alone, as any query returns it. */
export type ChannelRow = Omit<ChannelModel, keyof Model>

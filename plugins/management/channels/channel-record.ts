/** The record of a channel that the family's clients read (management/README.md section 8). Never a key, never a secret field. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { ChannelRow, VisibleDocuments } from '../../services/channels/index.js'
import type { KeyFacts } from './key-facts.js'

export interface RecordFacts {
  /** Its documents without what is secret. */
  readonly visible: VisibleDocuments
  /** Absent: the channel has one key, or none. */
  readonly keys?: KeyFacts
  /** Quota; absent: nothing was used. */
  readonly used?: bigint
}

/** JSON columns come back as text, an empty object as "". */
export function channelRecord(row: ChannelRow, { visible, keys, used = 0n }: RecordFacts) {
  return {
    id: row.id,
    type: row.type,
    key: '',
    other: visible.other,
    openai_organization: visible.openai_organization,
    test_model: row.test_model,
    status: row.status,
    name: row.name,
    weight: row.weight,
    created_time: seconds(row.created_at),
    test_time: seconds(row.tested_at),
    response_time: row.response_ms,
    base_url: row.base_url,
    balance: Number(row.balance ?? 0),
    balance_updated_time: seconds(row.balance_updated_at),
    models: row.models.join(','),
    group: row.groups.join(','),
    used_quota: used,
    model_mapping: text(row.model_mapping),
    status_code_mapping: text(row.status_code_mapping),
    priority: Number(row.priority),
    auto_ban: row.auto_ban,
    other_info: text(statusInfo(row)),
    tag: row.tag,
    setting: text(visible.setting),
    param_override: text(row.param_override),
    header_override: text(row.header_override),
    remark: row.remark,
    channel_info: channelInfo(row.multi_key_mode, keys),
    settings: text(visible.settings),
    cost_terms: row.cost_terms === null ? '' : JSON.stringify(row.cost_terms),
  }
}

function channelInfo(mode: string, keys: KeyFacts | undefined) {
  return {
    is_multi_key: mode !== '',
    multi_key_size: keys?.size ?? 0,
    multi_key_status_list: keys?.statuses ?? {},
    multi_key_disabled_reason: keys?.reasons ?? {},
    multi_key_disabled_time: keys?.times ?? {},
    // Where polling stands is each process's own.
    multi_key_polling_index: 0,
    multi_key_mode: mode,
  }
}

function statusInfo({ status_reason, status_at }: ChannelRow): JsonObject {
  return status_at === null && status_reason === ''
    ? {}
    : { status_reason, status_time: seconds(status_at) }
}

function seconds(time: Date | null): number {
  return time === null ? 0 : Math.floor(time.getTime() / 1000)
}

function text(value: JsonObject): string {
  return Object.keys(value).length === 0 ? '' : JSON.stringify(value)
}

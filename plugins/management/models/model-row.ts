/** The row of an entry about models, and the record the family's clients read (management/README.md section 8). */
import { Model } from 'objection'
import type { ModelAbout } from '../../../kernel/toolkit/management/index.js'
import type { KnownModel } from '../../services/model-registry/index.js'
import type { Matched } from './matched.js'

export class ModelRow extends Model {
  static override tableName = 'models'

  declare id: number
  declare model_name: string
  declare name_rule: number
  declare description: string
  declare icon: string
  declare tags: string
  declare vendor_id: number | null
  declare endpoints: string
  declare facts: ModelAbout
  declare status: number
  declare sync_official: number
  declare created_at: Date
  declare updated_at: Date

  static override get jsonAttributes() {
    return ['facts']
  }
}

/** What an entry sets; null: not set. */
function aboutRecord(about: ModelAbout) {
  return {
    kind: about.kind ?? null,
    context_length: about.context_length ?? null,
    max_output: about.max_output ?? null,
    input_modalities: about.input_modalities ?? null,
    output_modalities: about.output_modalities ?? null,
    capabilities: about.capabilities ?? null,
  }
}

/** What the table of known models has. */
export function knownRecord({ vendor, about, source, date }: KnownModel) {
  return { vendor: vendor.name, ...aboutRecord(about), source, date }
}

export function modelRecord(
  row: ModelRow,
  matched: Matched,
  { vendorName, known }: { readonly vendorName: string; readonly known: KnownModel | undefined },
) {
  return {
    id: row.id,
    model_name: row.model_name,
    name_rule: row.name_rule,
    description: row.description,
    icon: row.icon,
    tags: row.tags,
    vendor_id: row.vendor_id ?? 0,
    vendor_name: vendorName,
    endpoints: row.endpoints,
    ...aboutRecord(row.facts),
    known: known === undefined ? null : knownRecord(known),
    status: row.status,
    sync_official: row.sync_official,
    created_time: Math.floor(row.created_at.getTime() / 1000),
    updated_time: Math.floor(row.updated_at.getTime() / 1000),
    bound_channels: matched.channels,
    bound_count: matched.channelCount,
    enable_groups: matched.groups,
    quota_types: matched.quotaTypes,
    matched_models: matched.models,
    matched_count: matched.models.length,
  }
}

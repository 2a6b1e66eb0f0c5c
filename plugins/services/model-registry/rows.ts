/** The rows of `models` and `vendors` as memory keeps them. */

import type { ModelAbout } from '../../../kernel/toolkit/management/index.js'
import { endpointsIn } from './endpoint-types.js'
import type { ModelEntry, NameRule, Vendor } from './model-registry.js'

export const modelColumns = [
  'id',
  'model_name',
  'name_rule',
  'description',
  'icon',
  'tags',
  'vendor_id',
  'endpoints',
  'facts',
  'status',
] as const

export const vendorColumns = ['id', 'name', 'description', 'icon', 'status'] as const

export interface ModelRow {
  readonly id: number
  readonly model_name: string
  readonly name_rule: number
  readonly description: string
  readonly icon: string
  readonly tags: string
  readonly vendor_id: number | null
  readonly endpoints: string
  readonly facts: ModelAbout
  readonly status: number
}

export interface VendorRow {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly icon: string
  readonly status: number
}

/** By the family's numbers. */
const rules: readonly NameRule[] = ['exact', 'prefix', 'contains', 'suffix']

export function entryOf(row: ModelRow): ModelEntry {
  const { id, description, icon, tags } = row
  return {
    id,
    description,
    icon,
    tags,
    modelName: row.model_name,
    rule: rules[row.name_rule]!,
    vendorId: row.vendor_id ?? undefined,
    endpoints: endpointsIn(row.endpoints),
    about: row.facts,
    enabled: row.status === 1,
  }
}

export function vendorOf({ id, name, description, icon, status }: VendorRow): Vendor {
  return { id, name, description, icon, enabled: status === 1 }
}

/** The form of an entry. */
import type { ModelEntry, ModelForm } from '../../../api/models.js'
import { tagsOf } from './columns.js'
import { type Endpoints, endpointsOf, endpointsText } from './endpoints-field.js'

export interface ModelValues {
  model_name: string
  name_rule: ModelForm['name_rule']
  vendor_id: number
  description: string
  /** With commas between them. */
  tags: string
  endpoints: Endpoints
  icon: string
  on: boolean
}

export function valuesOf(entry: ModelEntry | undefined): ModelValues {
  return {
    model_name: entry?.model_name ?? '',
    name_rule: entry?.name_rule ?? 0,
    vendor_id: entry?.vendor_id ?? 0,
    description: entry?.description ?? '',
    tags: tagsText(tagsOf(entry?.tags ?? '')),
    endpoints: endpointsOf(entry?.endpoints ?? ''),
    icon: entry?.icon ?? '',
    on: entry === undefined || entry.status === 1,
  }
}

export function formOf({ tags, endpoints, on, ...others }: ModelValues): ModelForm {
  return {
    ...others,
    model_name: others.model_name.trim(),
    tags: [...new Set(tagsOf(tags))].join(','),
    endpoints: endpointsText(endpoints),
    status: on ? 1 : 0,
  }
}

/** Each once, as people write them. */
export function tagsText(tags: readonly string[]): string {
  return [...new Set(tags)].join(', ')
}

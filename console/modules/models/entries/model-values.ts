/** The form of an entry. */
import { capabilities, type ModelEntry, type ModelForm } from '../../../api/models.js'
import { tagsOf } from './columns.js'
import { type Endpoints, endpointsOf, endpointsText } from './endpoints-field.js'

/** What an entry sets; null, or not in it: the table of known models says. */
export type AboutValues = {
  -readonly [field in
    | 'kind'
    | 'context_length'
    | 'max_output'
    | 'input_modalities'
    | 'output_modalities'
    | 'capabilities']: ModelForm[field]
}

export interface ModelValues extends AboutValues {
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
    kind: entry?.kind ?? null,
    context_length: entry?.context_length ?? null,
    max_output: entry?.max_output ?? null,
    input_modalities: entry?.input_modalities ?? null,
    output_modalities: entry?.output_modalities ?? null,
    capabilities: entry?.capabilities ?? null,
  }
}

export function formOf({ tags, endpoints, on, ...others }: ModelValues): ModelForm {
  return {
    ...others,
    model_name: others.model_name.trim(),
    tags: [...new Set(tagsOf(tags))].join(','),
    endpoints: endpointsText(endpoints),
    input_modalities: filled(others.input_modalities),
    output_modalities: filled(others.output_modalities),
    capabilities: capabilities.some((name) => others.capabilities?.[name] !== undefined)
      ? others.capabilities
      : null,
    status: on ? 1 : 0,
  }
}

/** Each once, as people write them. */
export function tagsText(tags: readonly string[]): string {
  return [...new Set(tags)].join(', ')
}

function filled<Item>(list: readonly Item[] | null): readonly Item[] | null {
  return list === null || list.length === 0 ? null : list
}

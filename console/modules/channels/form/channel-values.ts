/** What the form of a channel holds, what it is made of, and what is sent of it. */
import type { Channel, CreateMode, KeyOrder } from '../../../api/channels.js'
import {
  type SettingField,
  type SettingValues,
  sentValues,
} from '../../../ui/form/setting-field.js'
import { readPrices } from './cost-lines.js'
import { documentOf } from './document.js'

/** Names are those of the server, so that its refusals find their fields. */
export interface ChannelValues {
  type: number | null
  name: string
  /** Blank keeps what is stored. */
  key: string
  base_url: string
  group: string[]
  models: string[]
  model_mapping: string
  param_override: string
  header_override: string
  status_code_mapping: string
  priority: number
  weight: number
  tag: string
  remark: string
  test_model: string
  auto_ban: boolean
  /** What the upstream charges: a factor of the price list, and prices by model as JSON text. */
  cost_terms: { factor: string; models: string }
  /** The gateway's own switches for calls of the channel. */
  setting: SettingValues
  /** Fields of the provider, and more of the gateway's. */
  settings: SettingValues
  mode: CreateMode
  multi_key_mode: KeyOrder
  batch_add_set_key_prefix_2_name: boolean
  key_mode: 'append' | 'replace'
}

/** Which fields are the provider's: of the type chosen now, and of all that were chosen meanwhile. */
export interface ProviderFields {
  readonly now: readonly SettingField[]
  readonly seen: ReadonlySet<string>
}

export function blankValues(): ChannelValues {
  return {
    ...{ type: null, name: '', key: '', base_url: '', group: ['default'], models: [] },
    ...{ model_mapping: '', param_override: '', header_override: '', status_code_mapping: '' },
    ...{ priority: 0, weight: 0, tag: '', remark: '', test_model: '', auto_ban: true },
    ...{ cost_terms: { factor: '', models: '' } },
    ...{ setting: {}, settings: {}, mode: 'single', multi_key_mode: 'random' },
    ...{ batch_add_set_key_prefix_2_name: false, key_mode: 'append' },
  }
}

export function valuesOf(channel: Channel): ChannelValues {
  const { setting, settings, models, group, auto_ban, channel_info, ...plain } = channel
  const { type, name, base_url, priority, weight, tag, remark, test_model } = plain
  return {
    ...blankValues(),
    ...{ type, name, base_url, priority, weight, tag, remark, test_model },
    models: names(models),
    group: names(group),
    auto_ban: auto_ban === 1,
    cost_terms: costValues(channel.cost_terms),
    model_mapping: laidOut(channel.model_mapping),
    param_override: laidOut(channel.param_override),
    header_override: laidOut(channel.header_override),
    status_code_mapping: laidOut(channel.status_code_mapping),
    setting: { ...documentOf(setting) },
    settings: { ...documentOf(settings) },
    multi_key_mode: channel_info.multi_key_mode === 'polling' ? 'polling' : 'random',
  }
}

/** All of it, as a channel is made. */
export function channelBody(values: ChannelValues, fields: ProviderFields) {
  const { mode: _mode, key_mode: _keys, multi_key_mode: _order, ...rest } = values
  const { batch_add_set_key_prefix_2_name: _prefix, cost_terms, ...own } = rest
  const { auto_ban, setting, settings, ...plain } = own
  return {
    ...plain,
    base_url: values.base_url.trim(),
    auto_ban: auto_ban ? 1 : 0,
    cost_terms: costBody(cost_terms),
    setting: filled(setting),
    settings: settingsBody(settings, fields),
  }
}

function costValues(text: string): ChannelValues['cost_terms'] {
  const { factor = '', models } = documentOf(text)
  const shown = models === undefined ? '' : JSON.stringify(models, null, 2)
  return { factor: String(factor), models: shown }
}

/** Null: what it costs is not known. */
function costBody({ factor, models }: ChannelValues['cost_terms']): object | null {
  const own = readPrices(models) ?? {}
  const terms = {
    ...(factor.trim() !== '' && { factor: factor.trim() }),
    ...(Object.keys(own).length > 0 && { models: own }),
  }
  return Object.keys(terms).length === 0 ? null : terms
}

/** Only what differs: two admins who edit one channel lose nothing of each other's. */
export function changesBody(
  values: ChannelValues,
  before: ChannelValues,
  fields: ProviderFields,
): Record<string, unknown> {
  const now = channelBody(values, fields)
  const changed = Object.entries(now).filter(
    ([name]) => !same(values[name as keyof ChannelValues], before[name as keyof ChannelValues]),
  )
  const { key, ...others } = Object.fromEntries(changed)
  return {
    ...others,
    // Fields of another type are other fields, though none was touched.
    ...('type' in others && { settings: now.settings }),
    ...(typeof key === 'string' && key.trim() !== '' && { key }),
  }
}

/** Fields nobody declares stay: they may be of a newer gateway, or of a plugin. */
function settingsBody(settings: SettingValues, { now, seen }: ProviderFields): SettingValues {
  const others = Object.entries(settings).filter(([name]) => !seen.has(name))
  return { ...filled(Object.fromEntries(others)), ...sentValues(now, settings) }
}

function filled(values: SettingValues): SettingValues {
  const entries = Object.entries(values).filter(
    ([, value]) => value !== undefined && value !== '' && value !== null,
  )
  return Object.fromEntries(entries)
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function names(text: string): string[] {
  return text.split(',').filter((name) => name !== '')
}

/** With line breaks, where no number in it is changed by that. */
function laidOut(text: string): string {
  if (text === '') return ''
  const value = documentOf(text)
  return JSON.stringify(value) === text ? JSON.stringify(value, null, 2) : text
}

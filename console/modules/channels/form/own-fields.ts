/** The gateway's own fields of a channel, drawn like those a provider declares. */
import type { SettingField } from '../../../ui/form/setting-field.js'

type Translate = (key: string) => string

/** Of the task type whose results may settle the difference. */
const videoTasks = 54

/** Members of `setting`. */
export function callFields(t: Translate): readonly SettingField[] {
  const textsOf = texts(t, 'calls')
  return [
    { name: 'proxy', type: 'string', ...textsOf('proxy') },
    { name: 'system_prompt', type: 'string', maxBytes: 65_536, ...textsOf('system_prompt') },
    { name: 'system_prompt_override', type: 'boolean', ...textsOf('system_prompt_override') },
    { name: 'pass_through_body_enabled', type: 'boolean', ...textsOf('pass_through_body_enabled') },
    {
      ...{ name: 'first_token_timeout_ms', type: 'number', integer: true, min: 100, max: 600_000 },
      ...textsOf('first_token_timeout_ms'),
    },
    {
      ...{ name: 'on_client_gone', type: 'select', options: ['drain', 'abort'] },
      ...textsOf('on_client_gone'),
    },
  ]
}

/** Members of `settings` that decide which fields of a request go on to the upstream. */
export function filterFields(t: Translate): readonly SettingField[] {
  const textsOf = texts(t, 'passing')
  return [
    'allow_service_tier',
    'allow_inference_geo',
    'allow_speed',
    'allow_safety_identifier',
    'allow_include_obfuscation',
    'disable_store',
    'disable_stream_usage',
    'disable_reasoning_summary',
    'allow_extra_members',
  ].map((name) => ({ name, type: 'boolean', ...textsOf(name) }))
}

/** Members of `settings` about the check of the upstream's models, and about tasks. */
export function watchFields(t: Translate, type: number | null): readonly SettingField[] {
  const textsOf = texts(t, 'watch')
  const fields: readonly SettingField[] = [
    {
      ...{ name: 'upstream_model_update_check_enabled', type: 'boolean', default: true },
      ...textsOf('upstream_model_update_check_enabled'),
    },
    {
      ...{ name: 'upstream_model_update_ignored_models', type: 'list' },
      ...textsOf('upstream_model_update_ignored_models'),
    },
  ]
  if (type !== videoTasks) return fields
  const name = 'disable_task_delta_settlement'
  return [...fields, { name, type: 'boolean', ...textsOf(name) }]
}

function texts(t: Translate, section: string) {
  return (name: string) => ({
    title: t(`channels.${section}.${name}.title`),
    help: t(`channels.${section}.${name}.help`),
  })
}

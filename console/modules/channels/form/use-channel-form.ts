/** The form of a channel, new or stored: what it holds, how it is checked, and how it is saved. */
import { useQueryClient } from '@tanstack/vue-query'
import { type ComputedRef, computed, reactive, watch } from 'vue'
import { useI18n } from 'vue-i18n'
import { type Channel, createChannel, updateChannel } from '../../../api/channels.js'
import { ApiFailure } from '../../../api/failure.js'
import type { SettingField } from '../../../ui/form/setting-field.js'
import { type Form, useForm } from '../../../ui/form/use-form.js'
import { useTypes } from '../use-choices.js'
import {
  blankValues,
  type ChannelValues,
  changesBody,
  channelBody,
  type ProviderFields,
  valuesOf,
} from './channel-values.js'
import { readDocument } from './document.js'

const documents = [
  'model_mapping',
  'param_override',
  'header_override',
  'status_code_mapping',
] as const

export function useChannelForm(channel: Channel | undefined, saved: (channel?: Channel) => void) {
  const { t } = useI18n()
  const queryClient = useQueryClient()
  const { byId, groups, query: types } = useTypes()
  const initial = channel === undefined ? blankValues() : valuesOf(channel)
  let before = initial

  const form: Form<ChannelValues> = useForm<ChannelValues>({
    initial,
    save: (values) => told(() => save(values)),
    check,
    fields: () => [
      ...Object.keys(form.values),
      ...Object.keys(form.values.settings).map((name) => `settings.${name}`),
      ...fields.value.map(({ name }) => `settings.${name}`),
    ],
  })

  // What was wrong with a value says nothing of the next one.
  for (const name of Object.keys(initial) as (keyof ChannelValues)[]) {
    watch(
      () => JSON.stringify(form.values[name]),
      () => {
        delete form.faults[name]
      },
    )
  }

  const type = computed(() => byId.value.get(form.values.type ?? -1))
  const fields: ComputedRef<readonly SettingField[]> = computed(() => type.value?.fields ?? [])
  /** Names of fields of every type that was chosen: those of others are not sent. */
  const seen = reactive(new Set<string>())
  watch(
    fields,
    (now) => {
      for (const { name } of now) seen.add(name)
    },
    { immediate: true },
  )
  /** Secrets the channel has; another type has others. */
  const stored = computed(() => {
    if (channel?.type !== form.values.type) return []
    return fields.value
      .filter(({ name, type: kind }) => kind === 'secret' && name in before.settings)
      .map(({ name }) => name)
  })

  function check(values: ChannelValues): Record<string, string> {
    const needed = t('channels.form.needed')
    const faults: Record<string, string> = {}
    if (values.type === null) faults.type = needed
    if (values.name.trim() === '') faults.name = needed
    if (channel === undefined && values.key.trim() === '') faults.key = needed
    if (values.models.length === 0) faults.models = t('channels.form.oneModel')
    if (values.group.length === 0) faults.group = t('channels.form.oneGroup')
    if (type.value?.baseUrl === '' && values.base_url.trim() === '') faults.base_url = needed
    for (const name of documents) {
      if (readDocument(values[name]) === undefined) faults[name] = t('channels.form.noObject')
    }
    return faults
  }

  async function save(values: ChannelValues): Promise<void> {
    const provider: ProviderFields = { now: fields.value, seen }
    const made =
      channel === undefined ? await create(values, provider) : await change(values, provider)
    await queryClient.invalidateQueries({ queryKey: ['channels'] })
    saved(made)
  }

  async function create(values: ChannelValues, provider: ProviderFields) {
    const { mode, multi_key_mode, batch_add_set_key_prefix_2_name } = values
    const body = channelBody(values, provider)
    const how = { mode, multi_key_mode, batch_add_set_key_prefix_2_name }
    return (await createChannel({ ...how, channel: body })) ?? undefined
  }

  async function change(values: ChannelValues, provider: ProviderFields) {
    const { id, channel_info } = channel!
    const changes = changesBody(values, before, provider)
    const several = channel_info.is_multi_key && {
      ...('key' in changes && { key_mode: values.key_mode }),
      ...(values.multi_key_mode !== before.multi_key_mode && {
        multi_key_mode: values.multi_key_mode,
      }),
    }
    const now = await updateChannel({ id, ...changes, ...several })
    before = valuesOf(now)
    return now
  }

  return {
    form,
    type,
    types,
    groups,
    fields,
    stored,
    /** Begins anew with what is stored. */
    restart: (now: Channel) => form.reset(valuesOf(now)),
  }
}

/** Of a creation the server names fields as `channel.name`. */
async function told(save: () => Promise<void>): Promise<void> {
  try {
    await save()
  } catch (error) {
    if (!(error instanceof ApiFailure) || !error.field?.startsWith('channel.')) throw error
    const { message, status, code, field, retryAfter, scope, requestId } = error
    const name = field.slice('channel.'.length)
    throw new ApiFailure(
      message.replace(/^channel\./, ''),
      ...([status, code, name, retryAfter, scope, requestId] as const),
    )
  }
}

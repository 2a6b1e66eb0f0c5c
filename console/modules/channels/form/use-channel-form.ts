/** The form of a channel, new or stored: what it holds, and how it is checked. */
import { type ComputedRef, computed, reactive, watch } from 'vue'
import { type ComposerTranslation, useI18n } from 'vue-i18n'
import type { Channel, Made } from '../../../api/channels.js'
import { ApiFailure } from '../../../api/failure.js'
import type { SettingField } from '../../../ui/form/setting-field.js'
import { type Form, useForm } from '../../../ui/form/use-form.js'
import { readFigure } from '../../../ui/price-entry/figure.js'
import { useTypes } from '../use-choices.js'
import { blankValues, type ChannelValues, valuesOf } from './channel-values.js'
import { textFault } from './cost-lines.js'
import { readDocument } from './document.js'
import { useChannelSave } from './use-channel-save.js'

const documents = [
  'model_mapping',
  'param_override',
  'header_override',
  'status_code_mapping',
] as const

export function useChannelForm(channel: Channel | undefined, saved: (made: Made) => void) {
  const { t } = useI18n()
  const { byId, groups, query: types } = useTypes()
  const initial = channel === undefined ? blankValues() : valuesOf(channel)

  const form: Form<ChannelValues> = useForm<ChannelValues>({
    initial,
    save: async (values) => saved(await withMessages(() => saving.save(values), t)),
    check,
    fields: () => [
      ...Object.keys(form.values),
      ...Object.keys(form.values.settings).map((name) => `settings.${name}`),
      ...fields.value.map(({ name }) => `settings.${name}`),
    ],
  })

  // The error of a value does not apply to the next one.
  for (const name of Object.keys(initial) as (keyof ChannelValues)[]) {
    watch(
      () => JSON.stringify(form.values[name]),
      () => {
        for (const at of Object.keys(form.faults)) {
          if (at === name || at.startsWith(`${name}.`)) delete form.faults[at]
        }
      },
    )
  }

  const type = computed(() => byId.value.get(form.values.type ?? -1))
  if (channel === undefined) nameByType(form.values, () => type.value?.title ?? '')
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
  const provider = () => ({ now: fields.value, seen })
  const saving = useChannelSave({ channel, initial, form: () => form, provider })
  const { before, stored, overtaken, conflicts, follow, settle } = saving

  /** Secrets the channel has; another type has others. */
  const secrets = computed(() => {
    if (stored.value?.type !== form.values.type) return []
    return fields.value
      .filter(({ name, type: kind }) => kind === 'secret' && name in before.value.settings)
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
    return { ...faults, ...costFaults(values.cost_terms, t) }
  }

  const faults = computed(() => ({ ...conflicts.value, ...form.faults }))
  return { form, faults, type, types, groups, fields, secrets, overtaken, follow, settle }
}

function costFaults({ factor, models }: ChannelValues['cost_terms'], t: ComposerTranslation) {
  const faults: Record<string, string> = {}
  if (factor.trim() !== '' && readFigure(factor) === undefined) {
    faults['cost_terms.factor'] = t('channels.cost.faults.factor')
  }
  const fault = textFault(models)
  if (fault === 'noObject') faults['cost_terms.models'] = t('channels.form.noObject')
  else if (fault !== undefined) {
    faults['cost_terms.models'] = t('channels.cost.twice', { model: fault.twice })
  }
  return faults
}

/** A channel nobody has named yet is called as its type is. */
function nameByType(values: ChannelValues, title: () => string): void {
  watch(title, (now, before) => {
    if (values.name === '' || values.name === before) values.name = now
  })
}

/**
 * Of a creation the server names fields as `channel.name`. That a key has to be typed anew, since the change would send the
 * stored one elsewhere, is shown in this page's words.
 */
async function withMessages(save: () => Promise<Made>, t: (key: string) => string): Promise<Made> {
  try {
    return await save()
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    const { message, status, code, field, retryAfter, scope, requestId } = error
    const more = [retryAfter, scope, requestId] as const
    if (code === 'channel_key_required') {
      throw new ApiFailure(t('channels.form.keyAnew'), status, code, field, ...more)
    }
    if (!field?.startsWith('channel.')) throw error
    const name = field.slice('channel.'.length)
    throw new ApiFailure(message.replace(/^channel\./, ''), status, code, name, ...more)
  }
}

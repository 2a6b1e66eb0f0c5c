/**
 * Saving a channel two admins may have open: only what was changed here is sent, what somebody else has saved meanwhile
 * comes in, and what both have changed is named before it is written over.
 */
import { useQueryClient } from '@tanstack/vue-query'
import { ref, shallowRef } from 'vue'
import { type ComposerTranslation, useI18n } from 'vue-i18n'
import {
  type Channel,
  createChannel,
  type Made,
  readChannel,
  updateChannel,
} from '../../../api/channels.js'
import { ApiFailure } from '../../../api/failure.js'
import type { Form } from '../../../ui/form/use-form.js'
import {
  type ChannelValues,
  changesBody,
  channelBody,
  type ProviderFields,
  valuesOf,
} from './channel-values.js'
import { mergedValues } from './merged-values.js'

export interface SaveOptions {
  /** Absent: a new one. */
  readonly channel?: Channel
  readonly initial: ChannelValues
  form(): Form<ChannelValues>
  provider(): ProviderFields
}

/** Where others save again and again, a message is shown. */
const triesMax = 5

export function useChannelSave({ channel, initial, form, provider }: SaveOptions) {
  const { t } = useI18n()
  const queryClient = useQueryClient()
  /** As it is stored, and what the form had of that. */
  const stored = shallowRef(channel)
  const before = shallowRef(initial)
  /** Somebody else has saved while something was typed here. */
  const overtaken = ref(false)
  /** Sentences at fields that were changed both here and there. */
  const conflicts = ref<Readonly<Record<string, string>>>({})

  async function save(values: ChannelValues): Promise<Made> {
    const made = channel === undefined ? await created(values, provider(), t) : await change(values)
    await queryClient.invalidateQueries({ queryKey: ['channels'] })
    return made
  }

  async function change(values: ChannelValues): Promise<Made> {
    // News may come by themselves while this one is on its way.
    const known = conflicts.value
    for (let tries = 1; ; tries += 1) {
      try {
        return { channel: await put(values), count: 1 }
      } catch (error) {
        const isConflict = error instanceof ApiFailure && error.code === 'conflict'
        if (!isConflict || tries === triesMax) throw error
        follow(await readChannel(stored.value!.id))
        if (conflicts.value !== known) throw new Error(t('channels.form.conflict'))
      }
    }
  }

  async function put(values: ChannelValues): Promise<Channel> {
    const known = { stored: stored.value!, before: before.value, provider: provider() }
    const sent = copied(values)
    const now = await updateChannel(changesOf(values, known))
    stored.value = now
    before.value = sent
    return now
  }

  /** Takes in what is stored now. */
  function follow(now: Channel): void {
    const { values: mine, faults, problem, busy, changed, reset } = form()
    const theirs = valuesOf(now)
    const { values, both } = mergedValues({ mine, before: before.value, theirs })
    if (changed.value && !busy.value && !same(theirs, before.value)) overtaken.value = true
    const shown = { faults: { ...faults }, problem: problem.value }
    stored.value = now
    before.value = theirs
    reset(theirs)
    Object.assign(mine, copied(values))
    Object.assign(faults, shown.faults)
    problem.value = shown.problem
    if (both.length === 0) return
    const sentences = both.map((name) => [name, t('channels.form.both')] as const)
    conflicts.value = { ...conflicts.value, ...Object.fromEntries(sentences) }
  }

  /** It is saved; what was typed meanwhile stays. */
  function settle(now: Channel): void {
    follow(now)
    overtaken.value = false
    conflicts.value = {}
  }

  return { before, stored, overtaken, conflicts, save, follow, settle }
}

async function created(
  values: ChannelValues,
  provider: ProviderFields,
  t: ComposerTranslation,
): Promise<Made> {
  const { mode, multi_key_mode, batch_add_set_key_prefix_2_name } = values
  const how = { mode, multi_key_mode, batch_add_set_key_prefix_2_name }
  try {
    return await createChannel({ ...how, channel: channelBody(values, provider) })
  } catch (error) {
    const isLost = error instanceof ApiFailure && error.status === 0
    throw isLost ? new Error(t('channels.form.maybeCreated')) : error
  }
}

interface Known {
  readonly stored: Channel
  readonly before: ChannelValues
  readonly provider: ProviderFields
}

function changesOf(values: ChannelValues, { stored, before, provider }: Known) {
  const { id, channel_info } = stored
  const { multi_key_mode, key_mode } = values
  const changes = changesBody(values, before, provider)
  const several = channel_info.is_multi_key && {
    ...('key' in changes && { key_mode }),
    ...(multi_key_mode !== before.multi_key_mode && { multi_key_mode }),
  }
  return { id, ...changes, ...several, seen: seenOf(changes, stored) }
}

/** What is changed, as it was shown; nobody is shown a key. */
function seenOf(changes: object, stored: Channel): Partial<Channel> {
  const shown = Object.entries(stored)
  return Object.fromEntries(shown.filter(([name]) => name in changes && name !== 'key'))
}

function copied<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value))
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

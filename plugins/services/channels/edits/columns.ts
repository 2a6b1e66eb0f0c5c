/** What a form makes of a channel's columns. What was not sent is not there, so nothing else is written (CHAN-6). */
import type { JsonObject } from '../../../../kernel/contract/json.js'
import type { SettingField } from '../../../../kernel/contract/manifest.js'
import type { ChannelForm } from './edits.js'
import { withLegacy } from './fields/legacy-fields.js'
import { ownSettings, withoutForeign } from './fields/own-settings.js'
import { storedSettings } from './fields/provider-fields.js'
import { sealedProxy, storedProxy } from './fields/proxy.js'

/** The channel so far; a new one has all of it empty. */
export interface Before {
  readonly id: number
  readonly type: number
  readonly status: number
  readonly base_url: string
  readonly setting: JsonObject
  readonly settings: JsonObject
}

export interface ColumnDependencies {
  /** Of a channel type. */
  fields(type: number): readonly SettingField[]
  /** `place` goes on after `channels:<id>:`. */
  seal(id: number, place: string, secret: string): string
  readonly now: Date
  /** Name of the admin. */
  readonly by: string
}

export type Columns = Readonly<Record<string, unknown>> & { readonly settings?: JsonObject }

/** Throws `invalid_field`. Keys are no columns. */
export function columnsOf(
  before: Before,
  form: ChannelForm,
  dependencies: ColumnDependencies,
): Columns {
  const { key, other, openai_organization, settings, setting, group, status, ...plain } = form
  const settled = settingsOf(before, form, dependencies)
  return {
    ...plain,
    ...(group !== undefined && { groups: group }),
    ...(setting !== undefined && { setting: settingOf(before, setting, dependencies) }),
    ...(settled !== before.settings && { settings: settled }),
    ...(status !== undefined && statusColumns(before.status, status, dependencies)),
  }
}

/** Why and since when; what is as it was keeps its reason. */
export function statusColumns(
  before: number | undefined,
  status: number,
  { now, by }: Pick<ColumnDependencies, 'now' | 'by'>,
): Columns {
  if (status === before) return {}
  if (status === 1) return { status, status_reason: '', status_at: null }
  return { status, status_reason: `Switched off by ${by}.`, status_at: now }
}

/** The document that was sent takes the place of the stored one, the proxy's credentials aside. */
function settingOf(before: Before, sent: JsonObject, { seal }: ColumnDependencies): JsonObject {
  const { proxy, [sealedProxy]: _, ...others } = sent
  if (typeof proxy !== 'string') return others
  const stored = storedProxy(proxy, before.setting, (address) =>
    seal(before.id, 'setting.proxy', address),
  )
  return { ...others, ...stored }
}

/** The same for the provider's fields: secrets left out or blank stay, and so does what the gateway gathered. */
function settingsOf(
  before: Before,
  form: ChannelForm,
  dependencies: ColumnDependencies,
): JsonObject {
  const type = form.type ?? before.type
  const same = type === before.type
  const fields = dependencies.fields(type)
  const sent = form.settings ?? (same ? undefined : carried(before, type, dependencies))
  const settings =
    sent &&
    storedSettings(ownSettings(sent, type, before.settings), {
      fields,
      stored: same ? before.settings : {},
      seal: (field, secret) => dependencies.seal(before.id, `settings.${field}`, secret),
    })
  return withLegacy(settings ?? before.settings, form, {
    before: { ...before, fields: dependencies.fields(before.type) },
    after: { type, fields },
  })
}

/** What goes along to another type: never a secret, which another provider would be sent or a record would show. */
function carried(
  { type, settings }: Before,
  next: number,
  dependencies: ColumnDependencies,
): JsonObject {
  const secrets = new Set(
    dependencies.fields(type).flatMap((field) => (field.type === 'secret' ? [field.name] : [])),
  )
  const open = Object.entries(settings).filter(([name]) => !secrets.has(name))
  return withoutForeign(Object.fromEntries(open), next)
}

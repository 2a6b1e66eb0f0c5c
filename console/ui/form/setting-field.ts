/** A field a plugin's manifest declares, and the rules of drawing it. */
import type { components } from '../../api/schema.js'

export type SettingField = components['schemas']['SettingField']
export type SettingValues = Record<string, unknown>

/** Those to be drawn: a field with `when` only while the other one has that value. */
export function shownFields(
  fields: readonly SettingField[],
  values: Readonly<SettingValues>,
): readonly SettingField[] {
  return fields.filter(({ when }) => {
    if (when === undefined) return true
    const other = fields.find(({ name }) => name === when.field)
    return (values[when.field] ?? other?.default) === when.is
  })
}

/** What is sent: fields that are shown and filled; a blank secret is left out, which keeps the stored one. */
export function sentValues(
  fields: readonly SettingField[],
  values: Readonly<SettingValues>,
): SettingValues {
  const filled = shownFields(fields, values).flatMap((field) => {
    const value = values[field.name]
    if (value === undefined || (field.type === 'secret' && value === '')) return []
    return [[field.name, value] as const]
  })
  return Object.fromEntries(filled)
}

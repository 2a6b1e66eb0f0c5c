/** An option as a form shows it. Of a secret it shows that it is set, and nothing else. */
import type { Option } from '../../services/options/index.js'

export function described(option: Option, all: readonly Option[]) {
  const { key, plugin, field, value, isSet } = option
  const { title, help, type, options, min, max, integer, maxBytes } = field
  return {
    key,
    plugin,
    title,
    help,
    type,
    options,
    min,
    max,
    integer,
    max_bytes: maxBytes,
    default: field.default,
    when: shownWhen(option, all),
    value,
    is_set: isSet,
  }
}

/** Manifests name the other field as the plugin calls it; a form knows options by key. */
function shownWhen({ plugin, field: { when } }: Option, all: readonly Option[]) {
  if (when === undefined) return undefined
  const other = all.find((one) => one.plugin === plugin && one.field.name === when.field)
  return other === undefined ? undefined : { key: other.key, is: when.is }
}

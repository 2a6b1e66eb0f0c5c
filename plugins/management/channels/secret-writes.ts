/** Which updates of a channel write a key or another secret (LIMIT-4); priorities, models and switches are none. */
import type { SettingField } from '../../../kernel/contract/manifest.js'
import type { ChannelForm } from '../../services/channels/index.js'

/** `fields`: those providers declare, of whatever channel type. */
export function secretWrites(
  fields: () => readonly SettingField[],
): (form: ChannelForm) => boolean {
  /** What providers declare stays. */
  let names: ReadonlySet<string> | undefined

  function isSecret(name: string): boolean {
    names ??= new Set(fields().flatMap((field) => (field.type === 'secret' ? [field.name] : [])))
    return names.has(name)
  }

  return ({ key = '', setting = {}, settings = {} }) =>
    key !== '' ||
    String(setting.proxy ?? '').includes('@') ||
    Object.entries(settings).some(([name, value]) => value !== '' && isSecret(name))
}

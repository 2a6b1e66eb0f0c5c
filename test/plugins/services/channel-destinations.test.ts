/** Which fields of a channel decide where its stored keys go. */
import t from 'tap'
import type { SettingField } from '../../../kernel/contract/manifest.js'
import {
  destinationChanges,
  destinationOf,
} from '../../../plugins/services/channels/edits/destination.js'

const fields: readonly SettingField[] = [
  { name: 'routes', type: 'json', title: 'Routes' },
  { name: 'address', type: 'string', title: 'Address' },
  { name: 'role', type: 'select', options: ['a', 'b'], title: 'Role' },
]

function changedBy(hosts: readonly string[]): readonly string[] {
  const dependencies = {
    providers: { hosts: () => hosts, defaultBaseUrl: () => '' },
    fields: () => fields,
  }
  const row = { type: 1, base_url: 'https://one.example', setting: {} }
  const before = { ...row, settings: { routes: {}, address: 'https://a.example', role: 'a' } }
  const after = { ...row, settings: { routes: { a: 1 }, address: 'https://b.example', role: 'b' } }
  return destinationChanges(destinationOf(before, dependencies), destinationOf(after, dependencies))
}

t.test('[CHAN-6] documents steer, and fields whose addresses may be called', async (t) => {
  t.same(changedBy(['channel']), ['settings.routes'])
  t.same(changedBy(['channel', 'channelSettings.routes']), ['settings.routes'])
  t.same(changedBy(['channel', 'channelSettings.address']), ['settings.routes', 'settings.address'])
  t.same(
    changedBy(['channel', 'other.example']).length,
    3,
    'where a manifest names more hosts, all',
  )
})

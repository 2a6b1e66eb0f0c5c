/** Which updates of a channel count as writes of keys and secrets. */
import t from 'tap'
import { secretWrites } from '../../../plugins/management/channels/secret-writes.js'

t.test('[LIMIT-4] a key, a secret field and the credentials of a proxy are secrets', async (t) => {
  const writes = secretWrites(() => [
    { name: 'region', type: 'string', title: 'Region' },
    { name: 'account_key', type: 'secret', title: 'Key of the account' },
  ])
  for (const form of [
    { key: 'sk-1' },
    { settings: { account_key: 'x' } },
    { settings: { region: 'eu', account_key: null } },
    { setting: { proxy: 'socks5://token@10.0.0.1:9000' } },
  ]) {
    t.ok(writes(form), JSON.stringify(form))
  }
  for (const form of [
    {},
    { key: '' },
    { priority: 7, name: 'account_key' },
    { settings: { region: 'eu', account_key: '' } },
    { setting: { proxy: 'http://10.0.0.1' } },
    { setting: { account_key: 'of another document' } },
  ]) {
    t.notOk(writes(form), JSON.stringify(form))
  }
})

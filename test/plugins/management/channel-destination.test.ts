/** Where the stored key of a channel goes is not for everybody who edits channels to change. */
import t from 'tap'
import { channelArea, form } from './channel-area.js'
import { call, data, managementFixture } from './management-fixture.js'

const gateway = await managementFixture(t)
const { area, keyArea, create, update, several, stored, texts, ask } = channelArea(gateway)
const root = { userId: 1, username: 'root', role: 100, group: 'default' } as const
const keyRequired = { code: 'channel_key_required', param: 'key' } as const

const asRoot = (
  id: number,
  over: object,
  proof?: string,
  via: 'session' | 'accessToken' = 'session',
) =>
  call(area, 'update', {
    body: { id, ...over },
    principal: { ...root, via },
    ...(proof !== undefined && { headers: { 'x-verification-token': proof } }),
  })

const elsewhere: Readonly<Record<string, object>> = {
  'another host': { base_url: 'https://evil.example' },
  'another scheme': { base_url: 'http://one.example' },
  'another port': { base_url: 'https://one.example:8443' },
  'another path of the host': { base_url: 'https://one.example/tenant' },
  'a word the provider knows': { base_url: 'coding-plan' },
  'another type': { type: 901 },
  'a proxy': { setting: { proxy: 'http://evil.example:3128' } },
  'a blank key with it': { base_url: 'https://evil.example', key: ' ' },
}

for (const [name, change] of Object.entries(elsewhere)) {
  t.test(`[CHAN-6] an admin does not send a stored key elsewhere: ${name}`, async (t) => {
    const { id } = await create()
    const before = await stored(id)
    await t.rejects(update(id, change), keyRequired)
    t.same(await stored(id), before, 'nothing was written')
    await update(id, { key: 'mine', ...change, ...('key' in change && { key: 'mine' }) })
    t.same(texts(id), ['mine'], 'with a key of their own they may')
  })
}

t.test('[CHAN-6] what goes to the same place needs no key', async (t) => {
  const { id } = await create({ base_url: 'https://one.example/v1/' })
  for (const change of [
    { base_url: 'https://one.example' },
    { base_url: '' },
    { base_url: 'https://ONE.example:443/v1' },
    { type: 1, name: 'two', models: 'x', priority: 3 },
    { setting: { system_prompt: 'Be brief.' } },
    { header_override: { 'x-team': 'a' }, param_override: { temperature: 0 } },
  ]) {
    await update(id, change)
  }
  t.same(texts(id), [form.key])
})

t.test('[CHAN-6] a key that is added does not free those that were there', async (t) => {
  const { id } = await several('a\nb')
  const base_url = 'https://evil.example'
  await t.rejects(update(id, { base_url, key: 'mine', key_mode: 'append' }), keyRequired)
  t.same(texts(id), ['a', 'b'])
  await update(id, { base_url, key: 'mine', key_mode: 'replace' })
  t.same(texts(id), ['mine'])
})

t.test('[CHAN-6] a copy keeps what the key of its channel was for', async (t) => {
  const { id } = await create()
  const copy = await data(area, 'copy', { params: { id: String(id) }, query: {} })
  await t.rejects(update(copy.id, { base_url: 'https://evil.example' }), keyRequired)
})

t.test('[CHAN-6] a secret of the provider stays as the key does', async (t) => {
  const { id } = await create({ type: 901, settings: { account: 'acc' } })
  const change = { base_url: 'https://evil.example', key: 'mine' }
  await t.rejects(update(id, { ...change, settings: { region: 'us' } }), {
    code: 'channel_key_required',
    param: 'settings.account',
  })
  await update(id, { ...change, settings: { account: 'mine too' } })
})

t.test('[CHAN-6] a channel without a key goes where its admin wants', async (t) => {
  const { id } = await several('a')
  await data(keyArea, 'manage', {
    body: { channel_id: id, action: 'delete_key', key_index: 0 },
    principal: { ...root, via: 'session' },
  })
  t.match(await update(id, { base_url: 'https://own.example' }), {
    base_url: 'https://own.example',
  })
})

t.test('[AUTH-4] root moves a key by a proof, which no access token can bring', async (t) => {
  const { id } = await create()
  const change = { base_url: 'https://next.example/v1?token=hidden' }
  const next = { base_url: 'https://next.example/v1' }
  await t.rejects(asRoot(id, change), { code: 'invalid_field', param: 'base_url' })
  await t.rejects(asRoot(id, next), { code: 'verification_required' })
  await t.rejects(asRoot(id, next, 'balance'), { code: 'verification_required' })
  await t.rejects(asRoot(id, next, 'channel_key', 'accessToken'), keyRequired)
  const { audit } = await asRoot(id, next, 'channel_key')
  t.equal(
    audit.detail,
    'calls go to type 1, https://next.example; before to type 1, https://one.example; fields: base_url',
  )
  t.same(texts(id), [form.key])
  const plain = await call(area, 'update', {
    body: { id, name: 'x' },
    principal: { ...root, via: 'session' },
  })
  t.equal(plain.audit.detail, 'fields: name', 'nothing else is stated of it')
})

t.test('[CHAN-6] edits of a whole tag change no destination', async (t) => {
  const { id } = await create({ tag: 'fleet' })
  const sent = {
    tag: 'fleet',
    base_url: 'https://evil.example',
    type: 8,
    setting: { proxy: 'http://e' },
  }
  await ask('changeTag', { ...sent, priority: 4 })
  const { base_url, type, setting, priority } = await stored(id)
  t.same([base_url, type, setting, Number(priority)], ['', 1, {}, 4])
})

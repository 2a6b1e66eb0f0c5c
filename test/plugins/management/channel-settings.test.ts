/** The documents of a channel: the gateway's own switches, its proxy, and columns of the family beside them. */
import t from 'tap'
import { toJson } from '../../../kernel/toolkit/management/envelope.js'
import { channelArea, form } from './channel-area.js'
import { managementFixture, secrets } from './management-fixture.js'

const azure = {
  id: 3,
  name: 'azure',
  key: 'p/azure',
  title: 'Azure',
  baseUrl: 'https://azure.example',
  plugin: 'p',
  fields: [
    { name: 'api_version', type: 'string', title: 'Version', maxBytes: 32 },
    { name: 'organization', type: 'string', title: 'Organization' },
    { name: 'account', type: 'secret', title: 'Account' },
  ],
} as const
const gateway = await managementFixture(t, [azure])
const { create, update, read, stored } = channelArea(gateway)
const refusedAs = (param: string) => ({ code: 'invalid_field', param }) as const

t.test('switches of the gateway are checked, what it does not know stays as it is', async (t) => {
  const { id } = await create()
  const setting = {
    system_prompt: 'x'.repeat(65_536),
    system_prompt_override: true,
    pass_through_body_enabled: false,
    first_token_timeout_ms: 100,
    on_client_gone: 'drain',
    force_format: false,
    thinking_to_content: false,
    http_protocol: { kept: [1, null] },
  }
  t.same(JSON.parse((await update(id, { setting })).setting), setting)
  const bad: Record<string, readonly unknown[]> = {
    system_prompt: [5, null, `${'x'.repeat(65_535)}é`],
    system_prompt_override: ['true', 1],
    pass_through_body_enabled: [1],
    first_token_timeout_ms: [99, 600_001, 100.5, '100'],
    on_client_gone: ['run', true],
    force_format: [true, 'true'],
    thinking_to_content: [true],
    proxy: [
      ...[7, 'proxy.example', 'ftp://proxy.example', 'http://proxy.example/path'],
      ...['socks4://proxy.example', 'http://', 'http://p.example?x=1', 'http://p.example#x'],
    ],
  }
  for (const [name, values] of Object.entries(bad)) {
    for (const value of values) {
      const text = `${name}: ${JSON.stringify(value)?.slice(0, 40)}`
      await t.rejects(update(id, { setting: { [name]: value } }), refusedAs('setting'), text)
    }
  }
  t.same(JSON.parse((await read(id)).setting), setting, 'what was refused changed nothing')
  t.match(await update(id, { setting: '' }), { setting: '' })
})

t.test('credentials of a proxy go in and never out, and stay while its address does', async (t) => {
  const { id } = await create()
  const whole = 'socks5://ada:secret@proxy.example:1080'
  const shown = 'socks5://ada@proxy.example:1080'
  const proxyOf = async (proxy: string) =>
    JSON.parse((await update(id, { key: form.key, setting: { proxy, extra: 1 } })).setting).proxy
  const kept = async () => {
    const { proxy_sealed } = (await stored(id)).setting
    return proxy_sealed && secrets.open(`channels:${id}:setting.proxy`, proxy_sealed)
  }
  t.equal(await proxyOf(whole), shown)
  t.equal(await kept(), whole)
  t.equal(await proxyOf(shown), shown)
  t.equal(await kept(), whole, 'what comes back as it was shown keeps its password')
  await update(id, { tag: 'x' })
  t.equal(await kept(), whole)
  t.notMatch(toJson([await read(id), (await stored(id)).setting.proxy]), /secret|sealed/)
  t.equal(await proxyOf('http://other.example'), 'http://other.example')
  t.equal(await kept(), undefined, 'another address has no password yet')
  t.equal(await proxyOf('http://token@proxy.example'), 'http://proxy.example')
  t.equal(await kept(), 'http://token@proxy.example', 'a user that stands alone is a secret too')
  t.equal(await proxyOf('http://proxy.example'), 'http://proxy.example')
  t.equal(await kept(), 'http://token@proxy.example')
  await update(id, { key: form.key, setting: { proxy_sealed: 'forged' } })
  t.same((await stored(id)).setting, {})
})

t.test('fields a client may ask for pass by switches that are true or false', async (t) => {
  const { id } = await create()
  const names = [
    ...['allow_service_tier', 'allow_inference_geo', 'allow_speed', 'disable_store'],
    ...['allow_safety_identifier', 'allow_include_obfuscation'],
    ...['disable_stream_usage', 'disable_reasoning_summary', 'allow_extra_members'],
  ]
  for (const name of names) {
    const { settings } = await update(id, { settings: { [name]: true } })
    t.same(JSON.parse(settings), { [name]: true })
    for (const value of ['true', 1, null]) {
      const refused = refusedAs(`settings.${name}`)
      await t.rejects(update(id, { settings: { [name]: value } }), refused, `${name}: ${value}`)
    }
  }
})

t.test('what the gateway gathered in settings is not for a client to write or drop', async (t) => {
  const { id } = await create({ settings: { upstream_model_update_last_check_time: 1 } })
  const gathered = { upstream_model_update_last_detected_models: ['m'] }
  await gateway.database
    .knex('channels')
    .where({ id })
    .update({ settings: JSON.stringify(gathered) })
  const sent = { upstream_model_update_check_enabled: true }
  const forged = { ...sent, upstream_model_update_last_detected_models: ['forged'] }
  t.same(JSON.parse((await update(id, { settings: forged })).settings), { ...sent, ...gathered })
})

t.test('columns of the family are fields of the provider, where the type has them', async (t) => {
  const { id, ...made } = await create({ type: 3, other: '2024-10-21', openai_organization: 'org' })
  t.match(made, { other: '2024-10-21', openai_organization: 'org' })
  t.same(JSON.parse(made.settings), { api_version: '2024-10-21', organization: 'org' })

  const record = await read(id)
  const settings = { ...JSON.parse(record.settings), api_version: '2025-01-01' }
  t.match(await update(id, { ...record, settings }), { other: '2025-01-01' }, 'settings speak')
  t.match(await update(id, { ...(await read(id)), other: '2025-02-02' }), { other: '2025-02-02' })
  t.same(JSON.parse((await update(id, { openai_organization: '' })).settings), {
    api_version: '2025-02-02',
  })
  await t.rejects(update(id, { other: 'x'.repeat(33) }), refusedAs('other'))

  const one = await create()
  await t.rejects(update(one.id, { other: 'x' }), refusedAs('other'))
  await t.rejects(update(one.id, { openai_organization: 'x' }), refusedAs('openai_organization'))
  t.match(await update(one.id, { other: '', openai_organization: null }), { other: '' })
})

t.test('a secret of one provider never goes along to another', async (t) => {
  const { id } = await create({ type: 901, settings: { account: 'acc', region: 'us', extra: 1 } })
  const { settings } = await update(id, { key: form.key, type: 1 })
  t.same(JSON.parse(settings), { region: 'us', extra: 1 })
  t.notMatch(JSON.stringify((await stored(id)).settings), /account/)
  const other = await create({ type: 901, settings: { account: 'acc' } })
  for (const settings of [undefined, {}, { account: '' }]) {
    await update(other.id, { key: form.key, type: 3, settings })
    t.notOk((await stored(other.id)).settings.account, JSON.stringify(settings))
    await update(other.id, { key: form.key, type: 901, settings: { account: 'acc' } })
  }
})

t.test(
  'a mapping that runs in a circle is refused with the circle, a name on itself is a stop',
  async (t) => {
    const { id } = await create()
    const circles: Record<string, [object, RegExp]> = {
      two: [{ a: 'b', b: 'a' }, /runs in a circle: a → b → a/],
      'behind a way in': [{ x: 'a', a: 'b', b: 'c', c: 'a' }, /runs in a circle: a → b → c → a/],
    }
    for (const [name, [model_mapping, message]] of Object.entries(circles)) {
      await t.rejects(update(id, { model_mapping }), { param: 'model_mapping', message }, name)
    }
    const fine = { a: 'a', b: 'c', c: 'd', d: 'd', e: 'c' }
    t.same(JSON.parse((await update(id, { model_mapping: fine })).model_mapping), fine)
    const chain = Object.fromEntries(
      Array.from({ length: 4_000 }, (_, at) => [`m${at}`, `m${at + 1}`]),
    )
    t.ok(await update(id, { model_mapping: chain }))
    const ring = { ...chain, m4000: 'm0' }
    await t.rejects(update(id, { model_mapping: ring }), { message: /circle: m0 → .* → … → m0/ })
  },
)

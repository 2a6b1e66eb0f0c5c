import { readFile } from 'node:fs/promises'
import type { Schema } from 'joi'
import t from 'tap'
import type { Answer, ManagementRequest } from '../../../../kernel/contract/management.js'
import type { Manifest } from '../../../../kernel/contract/manifest.js'
import type { RequestId } from '../../../../kernel/contract/names.js'
import { described } from '../../../../plugins/management/options/describe.js'
import createArea from '../../../../plugins/management/options/index.js'
import { FakeClock } from '../../../kit/clock.js'
import { silentLog, testDatabase } from '../../../kit/database.js'
import { manifestWith, optionsOver } from '../../services/options/options-fixture.js'

const declared: Manifest = JSON.parse(
  await readFile(
    new URL('../../../../plugins/management/options/manifest.json', import.meta.url),
    'utf8',
  ),
)
const own = manifestWith(declared.id, declared.settings)
const ratios = manifestWith('service.ratios', [
  ...['ModelRatio', 'CompletionRatio', 'CacheRatio', 'CreateCacheRatio'].map(jsonField),
  ...['ImageRatio', 'AudioRatio', 'AudioCompletionRatio', 'ModelPrice'].map(jsonField),
  { name: 'token', option: 'MailToken', type: 'secret', title: 'Token' },
])

function jsonField(option: string) {
  return { name: option, option, type: 'json', title: option } as const
}

const database = await testDatabase(t)

t.beforeEach(async () => {
  await database.knex('options').delete()
})

async function scriptedGateway() {
  const options = optionsOver(database, { manifests: [own, ratios] })
  const { routes } = createArea({
    settings: options.of(own),
    clock: new FakeClock(),
    log: silentLog,
    services: { options },
  })
  await options.start()
  const handle = async (name: string, body?: unknown) => {
    const route = routes[name]!
    const checked = route.body === undefined ? undefined : valid(route.body, body)
    return route.handle(request(checked))
  }
  const list = async () => {
    const rows = (await handle('list')) as readonly { key: string; value: string }[]
    return new Map(rows.map(({ key, value }) => [key, value]))
  }
  return { options, handle, list, routes }
}

function valid(schema: Schema, body: unknown): unknown {
  const { value, error } = schema.validate(body)
  if (error) throw error
  return value
}

function request(body: unknown): ManagementRequest {
  return {
    requestId: 'req_01JZZZZZZZZZZZZZZZZZZZZZZZ' as RequestId,
    params: {},
    query: {},
    body,
    headers: {},
    address: '127.0.0.1',
    secure: false,
    moneyKey: 'test',
  }
}

t.test('every declared route is served, to root alone', async (t) => {
  const { routes } = await scriptedGateway()
  t.strictSame(Object.keys(routes).sort(), declared.routes.map(({ name }) => name).sort())
  for (const { credential } of declared.routes) t.equal(credential, 'root')
})

t.test('[API-4] a registered option is stored and listed as text', async (t) => {
  const { handle, list } = await scriptedGateway()
  t.equal((await list()).get('DataExportInterval'), '5')
  for (const [value, text] of [
    [60, '60'],
    ['15', '15'],
  ]) {
    await handle('update', { key: 'DataExportInterval', value })
    t.equal((await list()).get('DataExportInterval'), text)
  }
  await handle('update', { key: 'ModelPrice', value: '{ "m": 0.10 }' })
  t.equal((await list()).get('ModelPrice'), '{ "m": 0.10 }', 'text comes back as it was sent')
  await handle('update', { key: 'ModelPrice', value: { m: 0.5 } })
  t.equal((await list()).get('ModelPrice'), '{"m":0.5}')
})

t.test('[API-4] unknown keys, null and values out of range are refused by name', async (t) => {
  const { handle, list } = await scriptedGateway()
  const before = await list()
  const rows = [
    [{ key: 'Nonsense', value: 'x' }, 'There is no option "Nonsense".'],
    [{ key: 'ModelPrice', value: null }, 'ModelPrice must be a JSON object, not null.'],
    [{ key: 'ModelPrice', value: 'null' }, 'ModelPrice must be a JSON object, not null.'],
    [
      { key: 'DataExportInterval', value: 1441 },
      'DataExportInterval must be a whole number from 1 to 1440.',
    ],
    [{ key: 'ModelPrice' }, 'key and value are required together'],
    [{ value: 'x' }, 'key is required'],
    [{ key: 'ModelPrice', value: '{}', options: [] }, /"options" must contain at least 1 items/],
    [
      { key: 'ModelPrice', value: '{}', options: [{ key: 'ModelRatio', value: '{}' }] },
      'key and options exclude one another',
    ],
  ] as const
  for (const [body, message] of rows) await t.rejects(handle('update', body), { message })
  t.strictSame(await list(), before)
})

t.test('secrets are left out of the list', async (t) => {
  const { handle, list } = await scriptedGateway()
  await handle('update', { key: 'MailToken', value: 'hunter2' })
  t.notOk((await list()).has('MailToken'))
})

t.test('the reset brings back the ratios of models and leaves fixed prices alone', async (t) => {
  const { options, handle, list } = await scriptedGateway()
  await options.seed({ ModelRatio: '{"seed":1}', CacheRatio: '{"seed":0.1}' })
  for (const key of ['ModelRatio', 'CacheRatio', 'ImageRatio', 'ModelPrice']) {
    await handle('update', { key, value: '{"mine":1}' })
  }
  await handle('resetRatios')
  const after = await list()
  t.equal(after.get('ModelRatio'), '{"seed":1}')
  t.equal(after.get('CacheRatio'), '{"seed":0.1}')
  t.equal(after.get('ImageRatio'), '{}')
  t.equal(after.get('ModelPrice'), '{"mine":1}')
})

t.test('[API-4] several options are stored together or not at all', async (t) => {
  const { handle, list } = await scriptedGateway()
  const good = { key: 'ModelPrice', value: '{"m":1}' }
  const before = await list()
  const refused = [
    [{ key: 'DataExportInterval', value: 0 }, /whole number from 1 to 1440/],
    [{ key: 'Nonsense', value: 1 }, /no option "Nonsense"/],
    [{ key: 'ModelRatio', value: null }, /not null/],
    [good, /duplicate/],
  ] as const
  for (const [bad, message] of refused) {
    await t.rejects(handle('update', { options: [good, bad] }), { message })
  }
  t.strictSame(await list(), before)
  await handle('update', { options: [good, { key: 'DataExportInterval', value: 1440 }] })
  const after = await list()
  t.equal(after.get('ModelPrice'), '{"m":1}')
  t.equal(after.get('DataExportInterval'), '1440')
})

t.test('what somebody else changed meanwhile is not written over unseen', async (t) => {
  const { options, handle, list } = await scriptedGateway()
  await handle('update', { key: 'ModelPrice', value: '{"m":1}', was: '{}' })
  const mine = [
    { key: 'ModelPrice', value: '{"n":2}', was: '{}' },
    { key: 'DataExportInterval', value: 30, was: '5' },
  ]
  const refused = { code: 'conflict', param: 'ModelPrice' }
  await t.rejects(handle('update', { options: mine }), refused)
  await t.rejects(handle('update', mine[0]), refused)
  t.match(await list(), new Map([['ModelPrice', '{"m":1}']]))
  t.equal((await list()).get('DataExportInterval'), '5', 'all or none')

  const seen = [
    { key: 'ModelPrice', value: '{"n":2}', was: '{"m":1}' },
    { key: 'DataExportInterval', value: 30 },
    { key: 'MailToken', value: 'hunter2' },
  ]
  await handle('update', { options: seen })
  t.equal((await list()).get('ModelPrice'), '{"n":2}')
  t.equal((await list()).get('DataExportInterval'), '30')
  t.equal(options.list().find(({ key }) => key === 'MailToken')?.isSet, true)
  const [race, other] = await Promise.allSettled([
    handle('update', { key: 'ModelPrice', value: '{"a":1}', was: '{"n":2}' }),
    handle('update', { key: 'ModelPrice', value: '{"b":1}', was: '{"n":2}' }),
  ])
  t.strictSame([race.status, other.status].sort(), ['fulfilled', 'rejected'], 'one of two wins')
  await t.rejects(handle('update', { value: '{}', was: '{}' }), /key/)
})

t.test('[API-4] DataExportInterval takes whole minutes from 1 to 1440', async (t) => {
  const { handle, list } = await scriptedGateway()
  for (const value of [1, 1440, '1', '1440']) {
    await handle('update', { key: 'DataExportInterval', value })
    t.equal((await list()).get('DataExportInterval'), String(value))
  }
  for (const value of [0, 1441, 1.5, -1, '', ' 5', '5 ', '0x5', '05', 'NaN', true, [5], {}, null]) {
    const refused = handle('update', { key: 'DataExportInterval', value })
    await t.rejects(refused, { code: 'invalid_field', param: 'DataExportInterval' })
  }
})

t.test('options are described, so that forms can be drawn', async (t) => {
  const { handle } = await scriptedGateway()
  const find = async (key: string) => {
    const all = (await handle('describe')) as readonly { readonly key: string }[]
    return all.find((option) => option.key === key)
  }
  t.match(await find('DataExportInterval'), {
    plugin: 'management.options',
    title: String,
    type: 'number',
    min: 1,
    max: 1440,
    integer: true,
    default: 5,
    value: '5',
    is_set: false,
  })
  t.match(await find('MailToken'), { type: 'secret', value: '', is_set: false })
  await handle('update', { key: 'MailToken', value: 'hunter2' })
  t.match(await find('MailToken'), { value: '', is_set: true })
  t.notMatch(JSON.stringify(await handle('describe')), 'hunter2')
})

t.test('a form knows by its key the option another one depends on', async (t) => {
  const parts = manifestWith('service.parts', [
    { name: 'on', option: 'part.on', type: 'boolean', title: 'On' },
    { name: 'size', type: 'number', title: 'Size', when: { field: 'on', is: true } },
  ])
  const options = optionsOver(database, { manifests: [parts] })
  options.of(parts)
  await options.start()
  const all = options.list()
  const size = all.find(({ key }) => key === 'service.parts.size')
  if (size === undefined) throw new Error('there is no such option')
  t.match(described(size, all), { when: { key: 'part.on', is: true } })
})

t.test('the audit log is given the key, and hashes of values that are no secrets', async (t) => {
  const { handle } = await scriptedGateway()
  const price = (await handle('update', { key: 'ModelPrice', value: '{"m":2}' })) as Answer
  t.match(price.audit, {
    object: 'option ModelPrice',
    before: { ModelPrice: '{}' },
    after: { ModelPrice: '{"m":2}' },
  })
  const secret = (await handle('update', { key: 'MailToken', value: 'hunter2' })) as Answer
  t.match(secret.audit, { object: 'option MailToken', before: { MailToken: '' } })
  t.notMatch(JSON.stringify(secret), 'hunter2')
})

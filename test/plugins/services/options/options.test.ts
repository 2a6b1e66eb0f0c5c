import t from 'tap'
import type { SettingField } from '../../../../kernel/contract/manifest.js'
import type { Options } from '../../../../plugins/services/options/index.js'
import { silentLog, testDatabase } from '../../../kit/database.js'
import { manifestWith, type OptionsTerms, optionsOver, plainSecrets } from './options-fixture.js'

const fields: readonly SettingField[] = [
  { name: 'name', option: 'SystemName', type: 'string', title: 'Name', default: 'Waybill' },
  {
    name: 'interval',
    option: 'DataExportInterval',
    type: 'number',
    title: 'Minutes',
    default: 5,
    integer: true,
    min: 1,
    max: 1440,
  },
  { name: 'on', type: 'boolean', title: 'On', default: true },
  { name: 'mode', type: 'select', title: 'Mode', options: ['a', 'b'], default: 'b' },
  { name: 'map', option: 'Map', type: 'json', title: 'Map', default: { x: 1 } },
  { name: 'list', type: 'list', title: 'List' },
  { name: 'password', option: 'MailPassword', type: 'secret', title: 'Password' },
]
const plugin = manifestWith('service.sample', fields)

const database = await testDatabase(t)

t.beforeEach(async () => {
  await database.knex('options').delete()
})

async function started(terms: Partial<OptionsTerms> = {}) {
  const options = optionsOver(database, { manifests: [plugin], ...terms })
  const settings = options.of(plugin)
  await options.start()
  return { options, settings }
}

async function stored(): Promise<Readonly<Record<string, string>>> {
  const rows: readonly { key: string; value: string }[] = await database
    .knex('options')
    .select('key', 'value')
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
}

function shown(options: Options, key: string): string | undefined {
  return options.list().find((option) => option.key === key)?.value
}

t.test('defaults stand from the start, before anything is stored', async (t) => {
  const options = optionsOver(database, { manifests: [plugin] })
  const settings = options.of(plugin)
  const defaults = {
    name: 'Waybill',
    interval: 5,
    on: true,
    mode: 'b',
    map: { x: 1 },
    list: [],
    password: '',
  }
  t.strictSame(settings.all, defaults, 'usable from create on')
  await options.start()
  t.strictSame(settings.all, defaults)
  t.strictSame(
    options.list().map(({ key, value }) => [key, value]),
    [
      ['DataExportInterval', '5'],
      ['MailPassword', ''],
      ['Map', '{"x":1}'],
      ['SystemName', 'Waybill'],
      ['service.sample.list', '[]'],
      ['service.sample.mode', 'b'],
      ['service.sample.on', 'true'],
    ],
  )
  t.equal(options.list()[0]?.plugin, 'service.sample')
})

t.test('a value that was put is there at the next read, in its type', async (t) => {
  const { options, settings } = await started()
  await options.put({
    SystemName: 'Bridge',
    DataExportInterval: '60',
    'service.sample.on': 'false',
    'service.sample.mode': 'a',
    Map: '{ "ratio": 0.150 }',
    'service.sample.list': ['x'],
  })
  t.equal(settings.string('name'), 'Bridge')
  t.equal(settings.number('interval'), 60)
  t.equal(settings.boolean('on'), false)
  t.equal(settings.string('mode'), 'a')
  t.strictSame(settings.json('map'), { ratio: 0.15 })
  t.equal(settings.string('map'), '{ "ratio": 0.150 }', 'the source text stays')
  t.strictSame(settings.all.list, ['x'])
  t.equal(shown(options, 'DataExportInterval'), '60')
})

t.test(
  'asking for what is not declared, or in another type, is a fault of the plugin',
  async (t) => {
    const { settings } = await started()
    t.throws(() => settings.string('nothing'), /service\.sample declares no setting nothing/)
    t.throws(() => settings.number('name'), /name of service\.sample is no number/)
    t.throws(() => settings.boolean('name'), /no boolean/)
    t.throws(() => settings.json('list'), /no object/)
  },
)

t.test('[API-4] only registered keys are taken, and the refusal names the key', async (t) => {
  const { options } = await started()
  for (const key of ['Unknown', 'systemname', 'SystemName ', '__proto__', '']) {
    await t.rejects(options.put({ [key]: 'x' }), {
      code: 'invalid_field',
      param: key,
      message: `There is no option ${JSON.stringify(key)}.`,
    })
  }
  t.strictSame(await stored(), {})
})

t.test('[API-4] DataExportInterval is a whole number from 1 to 1440', async (t) => {
  const { options, settings } = await started()
  for (const sent of [0, 1441, 1.5, '0', '1441', '', ' 5', 'x', '0x10', null, true, {}, '1e9']) {
    await t.rejects(options.put({ DataExportInterval: sent }), {
      code: 'invalid_field',
      param: 'DataExportInterval',
      message: 'DataExportInterval must be a whole number from 1 to 1440.',
    })
  }
  for (const [sent, minutes] of [
    [1, 1],
    ['1440', 1440],
    ['1e1', 10],
  ] as const) {
    await options.put({ DataExportInterval: sent })
    t.equal(settings.number('interval'), minutes)
  }
})

t.test('a blank secret keeps the one that is stored, and null takes it away', async (t) => {
  const { options, settings } = await started()
  const isSet = () => options.list().find(({ key }) => key === 'MailPassword')?.isSet
  await options.put({ MailPassword: 'hunter2' })
  await options.put({ MailPassword: '' })
  t.equal(settings.string('password'), 'hunter2')
  t.equal(isSet(), true)
  await options.put({ MailPassword: null })
  t.equal(settings.string('password'), '')
  t.equal(isSet(), false)
})

t.test('[API-4] an option that holds JSON refuses null and any other shape', async (t) => {
  const { options } = await started()
  const rows = [
    ['Map', null, 'Map must be a JSON object, not null.'],
    ['Map', 'null', 'Map must be a JSON object, not null.'],
    ['Map', '[]', 'Map must be a JSON object, not an array.'],
    ['Map', '"x"', 'Map must be a JSON object, not a string.'],
    ['Map', 5, 'Map must be a JSON object, not a number.'],
    ['Map', '', 'Map is not valid JSON.'],
    ['Map', '{', 'Map is not valid JSON.'],
    ['Map', undefined, 'Map must be a JSON object, not absent.'],
    ['service.sample.list', null, 'service.sample.list must be a JSON array, not null.'],
    ['service.sample.list', '{}', 'service.sample.list must be a JSON array, not an object.'],
    ['SystemName', null, 'SystemName must be text, not null.'],
    ['SystemName', {}, 'SystemName must be text, not an object.'],
    ['service.sample.on', 'yes', 'service.sample.on must be true or false.'],
    ['service.sample.mode', 'c', 'service.sample.mode must be one of a, b.'],
    ['SystemName', 'x'.repeat(65_537), 'SystemName is larger than 65536 bytes.'],
    ['SystemName', 'é'.repeat(32_769), 'SystemName is larger than 65536 bytes.'],
    ['Map', { x: 'y'.repeat(65_536) }, 'Map is larger than 65536 bytes.'],
  ] as const
  for (const [key, sent, message] of rows) {
    await t.rejects(options.put({ [key]: sent }), { code: 'invalid_field', param: key, message })
  }
  t.strictSame(await stored(), {})
})

t.test('a put of several options is all or nothing', async (t) => {
  const { options, settings } = await started()
  await t.rejects(options.put({ SystemName: 'Bridge', DataExportInterval: 0 }))
  t.equal(settings.string('name'), 'Waybill')
  t.strictSame(await stored(), {})

  await database.knex.raw(
    "ALTER TABLE options ADD CONSTRAINT no_list CHECK (key <> 'service.sample.list')",
  )
  t.teardown(() => database.knex.raw('ALTER TABLE options DROP CONSTRAINT no_list'))
  await t.rejects(options.put({ SystemName: 'Bridge', 'service.sample.list': [] }), /no_list/)
  t.strictSame(await stored(), {}, 'also where the database states no')
})

t.test('a registered check has the last word, with the raw text', async (t) => {
  const { options, settings } = await started()
  const heard: string[] = []
  options.check('Map', (text) => {
    heard.push(text)
    if (text.includes('bad')) throw new Error('bad is not good')
  })
  await options.put({ Map: '{"good": 1.0}' })
  await t.rejects(options.put({ Map: '{"bad":1}' }), /bad is not good/)
  await options.put({ Map: { good: 2 } })
  t.strictSame(heard, ['{"good": 1.0}', '{"bad":1}', '{"good":2}'])
  t.strictSame(settings.json('map'), { good: 2 })
})

t.test('secrets are stored sealed, shown blank, and kept by a blank', async (t) => {
  const { options, settings } = await started()
  await options.put({ MailPassword: 'hunter2' })
  t.equal(settings.string('password'), 'hunter2')
  t.equal(shown(options, 'MailPassword'), '')
  const { MailPassword: sealed } = await stored()
  t.equal(sealed, plainSecrets.seal('options:MailPassword:value', 'hunter2'))
  await options.put({ MailPassword: '', SystemName: 'Bridge' })
  t.equal(settings.string('password'), 'hunter2')
  t.equal(settings.string('name'), 'Bridge')
  t.equal((await started()).settings.string('password'), 'hunter2')
})

t.test('a change shows in every process, and only its listeners hear of it', async (t) => {
  const first = await started()
  const second = await started()
  let heard = 0
  const other = manifestWith('service.other', [{ name: 'x', type: 'string', title: 'X' }])
  second.settings.onChange(() => {
    heard += 1
  })
  second.options.of(other).onChange(() => t.fail('nothing of this plugin changed'))
  await first.options.put({ SystemName: 'Bridge', DataExportInterval: 9 })
  t.equal(second.settings.string('name'), 'Bridge')
  t.strictSame(second.settings.all.interval, 9)
  t.equal(heard, 1, 'once for both')
  await first.options.put({ SystemName: 'Bridge' })
  t.equal(heard, 1, 'the same value again is no change')
})

t.test('a plugin that fails to take over a change hurts no other', async (t) => {
  const errors: string[] = []
  const log = { ...silentLog, error: (_: object, message: string) => void errors.push(message) }
  const { options, settings } = await started({ log })
  let heard = 0
  settings.onChange(() => {
    throw new Error('no')
  })
  settings.onChange(() => {
    heard += 1
  })
  await options.put({ SystemName: 'Bridge' })
  t.equal(heard, 1)
  t.strictSame(errors, ['a plugin failed to take over its settings'])
})

t.test('what is stored and cannot be used leaves the value as it was, and is logged', async (t) => {
  await database.knex('options').insert([
    { key: 'DataExportInterval', value: '0', sealed: false },
    { key: 'Map', value: 'null', sealed: false },
    { key: 'MailPassword', value: 'foreign envelope', sealed: true },
    { key: 'SystemName', value: 'Bridge', sealed: false },
    { key: 'Forgotten', value: 'of a plugin long gone', sealed: false },
  ])
  const faulty: unknown[] = []
  const log = {
    ...silentLog,
    error: (facts: { option?: string }) => void faulty.push(facts.option),
  }
  const { settings } = await started({ log })
  t.match(settings.all, { interval: 5, map: { x: 1 }, password: '', name: 'Bridge' })
  t.strictSame(faulty.sort(), ['DataExportInterval', 'MailPassword', 'Map'])
})

t.test('seeds are stored once and never over what an admin stored', async (t) => {
  const { options, settings } = await started()
  await options.put({ SystemName: 'Bridge' })
  await options.seed({ SystemName: 'Seed', Map: '{"seeded":1}' })
  t.equal(settings.string('name'), 'Bridge')
  t.strictSame(settings.json('map'), { seeded: 1 })
  await options.put({ Map: '{}' })
  const again = await started()
  await again.options.seed({ SystemName: 'Later', Map: '{"later":1}' })
  t.strictSame(again.settings.json('map'), {})
  await t.rejects(options.seed({ Map: 'null' }), /Map must be a JSON object/)
})

t.test('a reset brings back what was seeded, else the declared default', async (t) => {
  const { options, settings } = await started()
  await options.seed({ Map: '{"seeded":1}' })
  await options.put({ Map: '{"mine":1}', DataExportInterval: 60 })
  await options.reset(['Map', 'DataExportInterval'])
  t.strictSame(settings.json('map'), { seeded: 1 })
  t.equal(settings.number('interval'), 5)
  await t.rejects(options.reset(['Unknown']), /no option "Unknown"/)
})

t.test('puts that race leave every process at what is stored', async (t) => {
  const first = await started()
  const second = await started()
  const writers = [first, second]
  await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      writers[index % 2]!.options.put(
        index % 3 === 0
          ? { SystemName: `n${index}`, Map: { index } }
          : { Map: { index }, SystemName: `n${index}` },
      ),
    ),
  )
  const { SystemName: name, Map: map } = await stored()
  t.equal(map, JSON.stringify({ index: Number(name!.slice(1)) }), 'both from the same put')
  for (const { settings } of writers) {
    t.equal(settings.string('name'), name)
    t.equal(settings.string('map'), map)
  }
})

t.test(
  'options of a failed plugin can still be set, but a claimed key keeps its owner',
  async (t) => {
    const thief = manifestWith('guard.thief', [
      { name: 'name', option: 'SystemName', type: 'number', title: 'Stolen' },
      { name: 'own', type: 'string', title: 'Own' },
    ])
    const options = optionsOver(await testDatabase(t), {
      manifests: [thief, plugin],
      states: { 'guard.thief': 'failed' },
    })
    await options.start()
    const plugins = Object.fromEntries(options.list().map((option) => [option.key, option.plugin]))
    t.equal(plugins.SystemName, 'service.sample')
    t.equal(plugins['guard.thief.own'], 'guard.thief')
  },
)

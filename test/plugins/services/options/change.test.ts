/** Changing options by what is stored: nothing that others write meanwhile is lost. */
import t from 'tap'
import type { Options } from '../../../../plugins/services/options/index.js'
import { testDatabase } from '../../../kit/database.js'
import { manifestWith, optionsOver } from './options-fixture.js'

const plugin = manifestWith('service.sample', [
  { name: 'map', option: 'Map', type: 'json', title: 'Map', default: {} },
  { name: 'list', option: 'List', type: 'list', title: 'List', default: ['kept'] },
  { name: 'password', option: 'Password', type: 'secret', title: 'Password' },
])

const database = await testDatabase(t)

t.beforeEach(async () => {
  await database.knex('options').delete()
})

async function started() {
  const options = optionsOver(database, { manifests: [plugin] })
  const settings = options.of(plugin)
  await options.start()
  return { options, settings }
}

const stored = async () =>
  Object.fromEntries(
    (await database.knex('options').select('key', 'value')).map(({ key, value }) => [key, value]),
  )

function add(options: Options, key: string): Promise<void> {
  return options.change(['Map'], ({ Map: text }) => ({
    Map: JSON.stringify({ ...JSON.parse(text!), [key]: 1 }),
  }))
}

t.test('a change gets the stored text, or the default, and its answer is in force', async (t) => {
  const { options, settings } = await started()
  const seen: unknown[] = []
  await options.change(['Map', 'List'], (texts) => {
    seen.push({ ...texts })
    return { Map: '{ "a": 0.10 }' }
  })
  t.strictSame(seen, [{ Map: '{}', List: '["kept"]' }])
  t.equal(settings.string('map'), '{ "a": 0.10 }')
  t.strictSame(await stored(), { Map: '{ "a": 0.10 }' }, 'an option left out is not stored either')
  await options.change(['Map', 'List'], (texts) => {
    seen.push({ ...texts })
    return {}
  })
  t.strictSame(seen[1], { Map: '{ "a": 0.10 }', List: '["kept"]' })
  t.strictSame(await stored(), { Map: '{ "a": 0.10 }' }, 'an option left out stays')
})

t.test('changes that race lose nothing, whichever process they come from', async (t) => {
  const writers = [await started(), await started()]
  const keys = Array.from({ length: 12 }, (_, index) => `k${index}`)
  await Promise.all(keys.map((key, index) => add(writers[index % 2]!.options, key)))
  for (const { settings } of writers) {
    t.strictSame(Object.keys(settings.json('map')).sort(), [...keys].sort())
  }
})

t.test('a change and a put of several options never wait for each other in a ring', async (t) => {
  const { options } = await started()
  const both = { Map: '{"put":1}', List: '["put"]' }
  await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      index % 2 === 0 ? options.put(both) : options.change(['List', 'Map'], () => both),
    ),
  )
  t.strictSame(await stored(), both)
})

t.test('a change that is refused saves nothing', async (t) => {
  const { options, settings } = await started()
  await options.put({ Map: '{"kept":1}' })
  const rows: readonly (readonly [() => Record<string, unknown>, string | RegExp])[] = [
    [() => ({ Map: 'null' }), 'Map must be a JSON object, not null.'],
    [() => ({ Map: '{"new":1}', List: '{}' }), 'List must be a JSON array, not an object.'],
    [
      () => {
        throw new Error('no')
      },
      'no',
    ],
    [() => ({ Password: 'x' }), 'The option Password was not named before.'],
  ]
  for (const [make, message] of rows) {
    await t.rejects(options.change(['Map', 'List'], make), { message: message as string })
  }
  await t.rejects(
    options.change(['Unknown'], () => ({})),
    { code: 'invalid_field', param: 'Unknown' },
  )
  t.equal(settings.string('map'), '{"kept":1}')
  t.strictSame(await stored(), { Map: '{"kept":1}' })
})

t.test('a registered check has its say, and a secret is opened and sealed', async (t) => {
  const { options, settings } = await started()
  options.check('Map', (text) => {
    if (text.includes('bad')) throw new Error('bad is not good')
  })
  await t.rejects(add(options, 'bad'), /bad is not good/)
  await options.put({ Password: 'one' })
  await options.change(['Password'], ({ Password: text }) => ({ Password: `${text} two` }))
  t.equal(settings.string('password'), 'one two')
  t.notMatch((await stored()).Password, /one two/)
})

/** Plugins from outside: what of `PLUGINS` is found, what is wrong with it in sentences, and that the rest serves. */
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { discoverOutside } from '../../../kernel/registry/outside.js'
import { findPlugins } from '../../../kernel/registry/registry.js'
import { shelf } from './outside-kit.js'
import { manifestOf } from './plugins.js'

const none: ReadonlySet<string> = new Set()

t.test('a folder is a plugin, and a package names the folders of its plugins', async (t) => {
  const { folder, put, plugin } = shelf(t)
  plugin('single', 'guard.one', '')
  put({
    'node_modules/waybill-plugin-acme/package.json': {
      ...{ name: 'waybill-plugin-acme', version: '2.1.0', license: 'MIT' },
      waybill: { plugins: ['./dist/a', './dist/b'] },
    },
    'node_modules/waybill-plugin-acme/dist/a/manifest.json': manifestOf('provider.acme'),
    'node_modules/waybill-plugin-acme/dist/b/manifest.json': manifestOf('notifier.acme'),
  })
  const names = ['./single', 'waybill-plugin-acme']
  const { found, problems } = await discoverOutside({ names, from: [folder] }, none)
  t.strictSame(problems, [])
  const packed = { name: 'waybill-plugin-acme', version: '2.1.0', license: 'MIT' }
  const at = join(folder, 'node_modules/waybill-plugin-acme/dist')
  t.strictSame(
    found.map(({ origin }) => origin),
    [
      { entry: './single', folder: join(folder, 'single') },
      { entry: 'waybill-plugin-acme', folder: join(at, 'a'), package: packed },
      { entry: 'waybill-plugin-acme', folder: join(at, 'b'), package: packed },
    ],
  )
})

t.test('packages are looked for from each place in turn, linked folders included', async (t) => {
  const { folder, put } = shelf(t)
  put({
    'elsewhere/acme/package.json': {
      name: '@team/acme',
      waybill: { plugins: ['.'] },
    },
    'elsewhere/acme/manifest.json': manifestOf('provider.acme'),
    'data/plugins/node_modules/@team/readme': '',
  })
  symlinkSync(join(folder, 'elsewhere/acme'), join(folder, 'data/plugins/node_modules/@team/acme'))
  const from = [join(folder, 'nothing'), join(folder, 'data/plugins')]
  const { found, problems } = await discoverOutside({ names: ['@team/acme'], from }, none)
  t.strictSame(problems, [])
  t.equal(found.length, 1)
})

t.test('a file names plugins line by line, folders relative to its own', async (t) => {
  const { folder, put, plugin } = shelf(t)
  plugin('etc/local', 'guard.one', '')
  put({ 'etc/plugins.txt': '# ours\n\n  ./local # a guard\n' })
  const file = join(folder, 'etc/plugins.txt')
  const { found, problems } = await discoverOutside({ names: [], file, from: [folder] }, none)
  t.strictSame(problems, [])
  t.match(found, [{ origin: { entry: './local' } }])
})

t.test('what is wrong is reported in a sentence, and the others are found', async (t) => {
  const { folder, put, plugin } = shelf(t)
  plugin('sound', 'guard.sound', '')
  plugin('taken', 'provider.openai', '')
  plugin('twin', 'guard.sound', '')
  put({
    'empty/readme': '',
    'plain/package.json': { name: 'plain' },
    'outward/package.json': { waybill: { plugins: ['../sound'] } },
    'gap/package.json': { waybill: { plugins: ['./dist'] } },
    'broken/package.json': '{',
    'nameless/manifest.json': '{ "kind": "guard" }',
  })
  const rows: readonly (readonly [entry: string, sentence: RegExp])[] = [
    ['./nowhere', /^\.\/nowhere: there is no folder \/.*nowhere\.$/],
    ['./empty', /^\.\/empty: it has neither a manifest\.json nor a package\.json\.$/],
    ['./plain', /^\.\/plain: its package\.json must name the folders/],
    ['./outward', /^\.\/outward: its package\.json must name the folders of its plugins within it/],
    [
      './gap',
      /^\.\/gap: "waybill\.plugins" names "\.\/dist", where there is no manifest\.json; is the package built\?$/,
    ],
    ['./broken', /^\.\/broken: its package\.json is no JSON/],
    ['./nameless', /^\.\/nameless: .*manifest\.json states no id of a kind there is/],
    ['./taken', /its id "provider\.openai" is that of a plugin that comes with the gateway/],
    ['./twin', /twin.*its id "guard\.sound" is that of .*sound.*; it is left out\.$/],
    ['no such', /^no such: it is neither the name of a package nor a folder/],
    [
      'waybill-plugin-none',
      /^waybill-plugin-none: there is no such package; it is looked for from/,
    ],
  ]
  const names = ['./sound', ...rows.map(([entry]) => entry)]
  const file = join(folder, 'no-file')
  const taken = new Set(['provider.openai'])
  const { found, problems } = await discoverOutside({ names, file, from: [folder] }, taken)
  t.match(found, [{ origin: { entry: './sound' } }])
  t.equal(found.length, 1)
  t.match(problems[0], /^PLUGINS_FILE names \/.*no-file, which cannot be read: ENOENT/)
  for (const [entry, sentence] of rows) {
    t.ok(
      problems.some((problem) => sentence.test(problem)),
      `${entry}: ${sentence}`,
    )
  }
  t.equal(problems.length, rows.length + 1)
})

t.test('no code of a plugin from outside runs before it was checked', async (t) => {
  const { folder, plugin } = shelf(t)
  plugin('bad', 'service.bad', 'globalThis.ranTooSoon = true; export default () => ({})')
  await findPlugins([], { names: ['./bad'], from: [folder] })
  t.notOk('ranTooSoon' in globalThis)
})

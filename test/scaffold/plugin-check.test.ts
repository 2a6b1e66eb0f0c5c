/** What `plugin check` finds in folders: nothing in a sound one, and a sentence for each thing that is wrong. */
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { run } from '../../config/cli/plugin-check.js'
import { acmeManifest } from '../kernel/registry/outside-kit.js'
import { manifestOf, type Part } from '../kernel/registry/plugins.js'

const project = fileURLToPath(new URL('../../../', import.meta.url))
const code = `
import { upstreamFailure } from 'waybill/toolkit/errors'
const fail = (status, headers, head) => upstreamFailure({ status, headers, head })
export default () => ({ operations: { chat: { format: 'chat', address() {}, fail } } })
`
const packed = {
  ...{ name: 'waybill-plugin-acme', version: '1.0.0', type: 'module' },
  ...{ peerDependencies: { waybill: '^1.0.0' }, waybill: { plugins: ['./src'] } },
}

interface Folder {
  readonly manifest?: Part
  readonly code?: string
  readonly package?: object
  /** Beside its code. */
  readonly files?: Readonly<Record<string, string>>
  readonly more?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
}

async function checked(t: Test, folder: Folder, ...options: readonly string[]) {
  const manifest = { ...manifestOf('provider.acme', acmeManifest), ...folder.manifest }
  const at = t.testdir({
    'package.json': JSON.stringify({ ...packed, ...folder.package }),
    ...folder.more,
    src: {
      'manifest.json': JSON.stringify(manifest),
      'index.js': folder.code ?? code,
      ...folder.files,
    },
  })
  mkdirSync(join(at, 'node_modules'))
  symlinkSync(join(project, 'node_modules/typescript'), join(at, 'node_modules/typescript'))
  const written = t.capture(process.stdout, 'write', () => true)
  const status = await run([at, ...options])
  const lines = written().map(({ args: [text] }) => String(text))
  written.restore()
  return { status, text: lines.join('') }
}

t.test('a sound plugin has no fault', async (t) => {
  const { status, text } = await checked(t, {})
  t.equal(status, 0, text)
  t.match(text, /^ok +provider\.acme: create\(kit\) passed\./m)
  t.match(text, /^ok +provider\.acme: create\(kit\) in a thread of its own .* passed\./m)
  t.notMatch(text, /^(?:fault|warning) +provider/m)
})

const warnings: Readonly<Record<string, readonly [folder: Folder, sentence: RegExp]>> = {
  'global objects that a provider has no need of': [
    { code: `${code}\nsetTimeout(() => process.uptime())` },
    /uses process \(line 6\), and plugins of the kind "provider" reach nothing/,
  ],
  'a way out beside the kit': [
    {
      manifest: { id: 'notifier.acme', kind: 'notifier', channelTypes: [] },
      code: 'export default () => ({ deliver: () => fetch("https://a.example") })',
    },
    /uses fetch \(line 1\), which reaches any host; "fetch" of the kit reaches those/,
  ],
  'code that does not run in a thread': [
    {
      // A thread has no environment variables.
      code: `if (process.env.PATH === undefined) throw new Error('no thread for me')\n${code}`,
    },
    /in a thread of its own \(PLUGINS_ISOLATED\) failed: .*no thread for me/,
  ],
  'an icon that is none': [
    { manifest: { icon: './index.svg' }, files: { 'index.svg': 'GIF89a' } },
    /The icon \.\/index\.svg is not shown: it is neither SVG nor PNG/,
  ],
}

for (const [name, [folder, sentence]] of Object.entries(warnings)) {
  t.test(`a warning is printed, and the status is 0: ${name}`, async (t) => {
    const { status, text } = await checked(t, folder)
    t.match(text, sentence)
    t.match(text, /^warning /m)
    t.equal(status, 0, text)
  })
}

t.test('names of its own are no global objects', async (t) => {
  const own = `const process = 1\nconst run = ({ fetch, console }) => fetch(console, process)`
  const { text } = await checked(t, { code: `${code}\n${own}\nvoid run` })
  t.notMatch(text, / uses /)
})

t.test('a provider may have the format of its own package', async (t) => {
  const format = {
    'manifest.json': JSON.stringify(manifestOf('format.turns')),
    'index.js': "export default () => ({ name: 'turns' })",
  }
  const { status, text } = await checked(t, {
    package: { waybill: { plugins: ['./src', './format'] } },
    code: code.replace("format: 'chat'", "format: 'turns'"),
    more: { format },
  })
  t.equal(status, 0, text)
})

const faults: Readonly<Record<string, readonly [folder: Folder, sentence: RegExp]>> = {
  'a copy of the gateway': [
    { package: { dependencies: { waybill: '1.0.0' } } },
    /"waybill" among its "dependencies"/,
  ],
  'a package of the old form': [{ package: { type: 'commonjs' } }, /must state "type": "module"/],
  'a package without plugins': [{ package: { waybill: {} } }, /must name the folders of its/],
  'a package that is not built': [
    { package: { waybill: { plugins: ['./dist'] } } },
    /there is no manifest\.json; is the package built\?/,
  ],
  'an id of the gateway': [{ manifest: { id: 'provider.openai' } }, /its id "provider\.openai" is/],
  'a channel type of the gateway': [
    { manifest: { channelTypes: [{ id: 1, name: 'acme', baseUrl: '' }] } },
    /claims the channel type 1, which provider\.\w+ has/,
  ],
  'a contract of the future': [{ manifest: { engines: { waybill: '^9.0' } } }, /"engines/],
  'an entry that is not there': [{ manifest: { entry: './none.js' } }, /"entry" names .*none\.js/],
  'a module for files': [{ code: `import 'node:fs'\n${code}` }, /imports "node:fs", and plugins/],
  'a module of the kernel': [
    { code: `import 'waybill/dist/kernel/boot.js'\n${code}` },
    /imports "waybill\/dist\/kernel\/boot\.js", and plugins import/,
  ],
  'a computed import': [{ code: `${code}\nimport(globalThis.x)` }, /a name that is computed/],
  'no JavaScript': [{ code: 'import {' }, /is no JavaScript/],
  'another shape': [{ code: 'export default () => ({})' }, /answered no "operations"/],
  'no create': [{ code: 'export const a = 1' }, /has no default export create\(kit\)/],
  'code that throws': [{ code: 'throw new Error("not today")' }, /create\(kit\) failed: not today/],
  'tests that fail': [
    { package: { scripts: { test: 'node --eval "process.exit(3)"' } } },
    /^fault +npm test failed/m,
  ],
  'wrong types': [
    {
      more: {
        'tsconfig.json': '{"compilerOptions":{"types":[]},"files":["wrong.ts"]}',
        'wrong.ts': 'export const a: number = "one"',
      },
    },
    /^fault +the types failed: .*TS2322/m,
  ],
}

for (const [name, [folder, sentence]] of Object.entries(faults)) {
  t.test(`a fault is printed, and the status is 1: ${name}`, async (t) => {
    const { status, text } = await checked(t, folder)
    t.match(text, sentence)
    t.match(text, /^fault /m)
    t.equal(status, 1)
  })
}

t.test('tests are left out on request', async (t) => {
  const failing = { package: { scripts: { test: 'node --eval "process.exit(3)"' } } }
  t.equal((await checked(t, failing, '--no-test')).status, 0)
})

t.test('a folder that is not there is refused in a sentence', async (t) => {
  await t.rejects(run([join(project, 'none')]), { message: /There is no folder/ })
  await t.rejects(run([]), { message: /One folder is expected/ })
})

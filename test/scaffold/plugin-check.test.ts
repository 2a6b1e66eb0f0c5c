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
  readonly more?: Readonly<Record<string, string>>
}

async function checked(t: Test, folder: Folder, ...options: readonly string[]) {
  const manifest = { ...manifestOf('provider.acme', acmeManifest), ...folder.manifest }
  const at = t.testdir({
    'package.json': JSON.stringify({ ...packed, ...folder.package }),
    ...folder.more,
    src: { 'manifest.json': JSON.stringify(manifest), 'index.js': folder.code ?? code },
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
  t.notMatch(text, /^fault/m)
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

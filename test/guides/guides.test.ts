/**
 * What guides print is what authors write: every printed file compiles as it stands, in a package of its own that has this
 * program as its dependency, and every printed test passes.
 */
import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import ts from 'typescript'
import type { Adapter, Provider } from '../../kernel/contract/provider.js'
import { type PrintedFile, printedFiles } from './blocks.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Each guide, and the files it must print at least. */
const guides: Readonly<Record<string, readonly string[]>> = {
  'providers/README.md': ['manifest.json', 'index.ts', 'index.test.ts'],
  'providers/OWN-FORM.md': ['index.ts', 'seals.ts', 'index.test.ts'],
  'plugins/endpoints/README.md': ['index.ts'],
  'plugins/formats/README.md': [
    ...['dialog/manifest.json', 'dialog/index.ts', 'dialog/request.ts', 'dialog/reading.ts'],
    ...['dialog/watch.ts', 'dialog/writing.ts', 'dialog/index.test.ts'],
  ],
  'plugins/guards/README.md': [
    ...['private-data/manifest.json', 'private-data/index.ts', 'private-data/index.test.ts'],
    ...['safe-reply/manifest.json', 'safe-reply/index.ts', 'safe-reply/index.test.ts'],
  ],
  'plugins/management/README.md': ['tags.ts', 'index.ts'],
  'plugins/notifiers/README.md': ['index.ts'],
  'plugins/oauth/README.md': ['manifest.json', 'index.ts', 'index.test.ts'],
  'plugins/operations/README.md': ['index.ts'],
  'plugins/payments/README.md': ['index.ts', 'index.test.ts'],
  'plugins/services/README.md': [
    ...['tally/index.ts', 'acme-budget/package.json'],
    ...['acme-budget/service/manifest.json', 'acme-budget/service/index.ts'],
    ...['acme-budget/management/manifest.json', 'acme-budget/management/index.ts'],
  ],
  'plugins/tasks/README.md': ['manifest.json', 'index.ts', 'index.test.ts'],
  'plugins/COOKBOOK.md': ['index.ts', 'manifest.json', 'index.test.ts'],
}

const folder = mkdtempSync(join(tmpdir(), 'guides-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))

t.test('what guides print compiles and passes its tests as it is printed', (t) => {
  const files = Object.keys(guides).flatMap((guide) => printed(t, guide))
  write(files)
  const { options, faults } = compile(files)
  t.strictSame(faults, [], 'the compiler finds nothing')
  for (const { path, text } of files) {
    if (!path.endsWith('.ts')) continue
    const { outputText } = ts.transpileModule(text, {
      compilerOptions: { ...options, module: ts.ModuleKind.ESNext },
    })
    writeFileSync(join(folder, path.replace(/\.ts$/, '.js')), outputText)
  }
  const tests = files.filter(({ path }) => path.endsWith('.test.ts'))
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--test', ...tests.map(({ path }) => path.replace(/\.ts$/, '.js'))],
    { cwd: folder, encoding: 'utf8', env },
  )
  t.equal(status, 0, stdout.slice(-4000))
  const [, passed] = /^(?:#|ℹ) pass (\d+)$/m.exec(stdout) ?? []
  t.ok(Number(passed) > 50, `the kits ran: ${passed} tests`)
  t.end()
})

t.test('every file a guide prints can be created', async (t) => {
  const kit = { settings: {}, clock: {}, log: {}, services: {}, fetch() {}, dial() {} }
  for (const guide of Object.keys(guides)) {
    for (const { path } of printedFiles(join(root, guide))) {
      if (!path.endsWith('/index.ts')) continue
      const { default: create } = await import(join(folder, path.replace(/\.ts$/, '.js')))
      t.type(create(kit), 'object', path)
    }
  }
})

t.test('the recipes of the cookbook do what they are for', async (t) => {
  const recipe = async (name: string): Promise<Provider> =>
    (await import(join(folder, name, 'index.js'))).default()
  const of = (served: unknown) => served as Adapter
  const channel = { id: 1, type: 1, baseUrl: 'https://api.acme.example', settings: {} }
  const context = { now: 1_767_225_600_000, model: 'm', stream: false, forwarded: { headers: {} } }

  const signed = of((await recipe('signed')).operations.chat)
  const wire = { kind: 'json', value: { model: 'm' } } as const
  const request = signed.address(wire, channel, { key: 'id-1|secret' }, context)
  const signature = createHmac('sha256', 'secret').update(`1767225600.${request.body}`)
  t.equal(request.headers['x-signed-with'], signature.digest('hex'), 'what is sent is signed')

  const lines = of((await recipe('lines')).operations.chat)
  const bytes = Buffer.from('{"a":"é"}\n\n{"b":2}')
  for (let at = 0; at <= bytes.length; at += 1) {
    const reader = lines.unframe!()
    const parts = [bytes.subarray(0, at), bytes.subarray(at)].flatMap((part) => reader.push(part))
    const text = Buffer.concat([...parts, ...reader.flush()]).toString()
    t.equal(text, 'data: {"a":"é"}\n\ndata: {"b":2}\n\ndata: [DONE]\n\n', `cut at ${at}`)
  }

  const { authorize } = await recipe('exchange')
  const exchanged = (status: number, body: string) =>
    authorize?.('refresh-1', channel, {
      now: 1000,
      fetch: async () => ({ status, headers: {}, body: Buffer.from(body) }),
    })
  const granted = { key: 'refresh-1', token: 't-1', expiresAt: 61_000 }
  t.strictSame(await exchanged(200, '{"token":"t-1","seconds":60}'), granted)
  for (const [status, body] of [
    [200, '<html>'],
    [200, '[]'],
    [401, '{}'],
  ] as const) {
    t.hasProp((await exchanged(status, body)) ?? {}, 'failure', `${status} ${body}`)
  }

  const speech = of((await recipe('seconds')).operations.speech)
  const answer = (headers: Record<string, string>) =>
    speech.answer?.({ status: 200, headers, body: Buffer.from('mp3') }, wire, 'm')
  t.match(answer({ 'x-audio-seconds': '2.5' }), { usage: { quantity: 2.5 }, type: 'audio/mpeg' })
  t.notOk('usage' in (answer({}) ?? {}), 'what was not counted is left out')

  const { faultOf } = await recipe('form')
  t.match(faultOf?.({ plan: 'own' }), /^pool must be filled in/)
  t.equal(faultOf?.({ plan: 'shared' }), undefined)
})

function printed(t: Test, guide: string): readonly PrintedFile[] {
  const files = printedFiles(join(root, guide))
  for (const name of guides[guide] ?? []) {
    t.ok(
      files.some(({ path }) => `/${path}`.endsWith(`/${name}`)),
      `${guide} prints ${name}`,
    )
  }
  return files
}

function write(files: readonly PrintedFile[]): void {
  mkdirSync(join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
  symlinkSync(root, join(folder, 'node_modules/waybill'))
  for (const name of ['joi', '@types']) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  for (const { path, text } of files) {
    const place = join(folder, path)
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, text)
  }
}

/** As an author would: strict, against the declarations of the built package. */
function compile(files: readonly PrintedFile[]) {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const own = { ...config.compilerOptions, rootDir: '.', noEmit: true, incremental: false }
  const { tsBuildInfoFile: _, ...compilerOptions } = own
  const { options } = ts.parseJsonConfigFileContent({ compilerOptions, files: [] }, ts.sys, folder)
  const roots = files
    .filter(({ path }) => path.endsWith('.ts'))
    .map(({ path }) => join(folder, path))
  const program = ts.createProgram(roots, options)
  const faults = roots.flatMap((path) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(path))
      .map(
        ({ messageText }) =>
          `${path.slice(folder.length + 1)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
      ),
  )
  return { options, faults }
}

/** The package as somebody installs it: its files, its command, and its types in a project of their own. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { acmeManifest, acmeProvider } from '../kernel/registry/outside-kit.js'
import { manifestOf } from '../kernel/registry/plugins.js'
import { project, unpackedPackage } from './tarball.js'

const { folder, installed, stated, command, succeed, put, link } = unpackedPackage(t)

t.test('it holds what runs and what authors read, and nothing of the tests', async (t) => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
  const foreign = files.filter((file) =>
    /(^|\/)fixtures\/|\.test\.|\.map$|\.tsbuildinfo$|(?<!\.d)\.ts$|\.env/.test(
      file.replace(/^dist\/config\/scaffold\/.*/, ''),
    ),
  )
  t.strictSame(foreign, [])
  for (const file of [
    'README.md',
    'plugins/README.md',
    'dist/public/index.html',
    'dist/sbom.cdx.json',
    'dist/config/scaffold/provider/src/index.ts',
  ]) {
    t.ok(files.includes(file), file)
  }
  for (const [name, places] of Object.entries(stated.exports)) {
    if (typeof places === 'string' || name.includes('*')) continue
    for (const place of Object.values(places)) t.ok(existsSync(join(installed, place)), place)
  }
})

t.test('its command lists what it does, and refuses what it does not know', async (t) => {
  const help = succeed(process.execPath, [command, '--help'])
  for (const words of ['start', 'ledger check', 'plugin new', 'plugin check', 'plugin live'])
    t.match(help, words)
  t.equal(succeed(process.execPath, [command, '--version']), `v${stated.version}\n`)
  t.match(succeed(process.execPath, [command, 'start', '--help']), /^ {2}PORT /m)
  t.match(
    succeed(process.execPath, [command, 'ledger', 'check', '--help']),
    /^Usage: waybill ledger/,
  )
  const { status, stderr } = spawnSync(process.execPath, [command, 'fly', 'high'], {
    encoding: 'utf8',
  })
  t.equal(status, 1)
  t.equal(stderr, 'There is no command "fly high"; waybill --help lists them.\n')
  const half = spawnSync(process.execPath, [command, 'plugin'], { encoding: 'utf8' })
  t.equal(half.status, 1)
  t.match(half.stderr, /^After "plugin" one of these is expected: new, check, live;/)
})

t.test(
  'it starts in an empty folder with its console and a package of plugins, and ends in order',
  async (t) => {
    put({
      'node_modules/waybill-plugin-acme/package.json': {
        ...{ name: 'waybill-plugin-acme', version: '1.0.0', type: 'module' },
        waybill: { plugins: ['./provider'] },
      },
      'node_modules/waybill-plugin-acme/provider/manifest.json': manifestOf(
        'provider.acme',
        acmeManifest,
      ),
      'node_modules/waybill-plugin-acme/provider/index.js': acmeProvider('one'),
      'node_modules/waybill-plugin-acme/provider/mark.js': "export const mark = 'first'",
    })
    const { PATH = '', HOME = '' } = process.env
    const env = { PATH, HOME, PORT: '0', PLUGINS: 'waybill-plugin-acme,./none' }
    const child = spawn(process.execPath, [command, 'start'], { cwd: folder, env })
    t.teardown(() => child.kill('SIGKILL'))
    let output = ''
    const ready = new Promise<string>((resolve, reject) => {
      const take = (piece: Buffer) => {
        output += piece.toString()
        const [, address] = /is ready at (http:\S+)/.exec(output) ?? []
        if (address !== undefined) resolve(address)
      }
      child.stdout.on('data', take)
      child.stderr.on('data', take)
      child.once('exit', () => reject(new Error(output)))
    })
    const address = await ready
    t.match(await (await fetch(`${address}/api/status`)).json(), { success: true })
    t.match(await (await fetch(`${address}/`)).text(), /<title>Waybill<\/title>/)
    t.match(output, /a plugin cannot be loaded: \.\/none: there is no folder/)
    t.notMatch(output, /waybill-plugin-acme: /, 'the package is one')
    t.ok(existsSync(join(folder, 'data')), 'data is in the current folder')
    child.kill('SIGTERM')
    t.strictSame(await once(child, 'exit'), [0, null])
    const books = succeed(process.execPath, [command, 'ledger', 'check'])
    t.match(books, /all invariants hold/)
  },
)

t.test('its types resolve in a project of their own, for Node.js and for bundlers', async (t) => {
  link('@types/node')
  link('undici-types')
  const rooms = readdirSync(join(installed, 'dist/kernel/toolkit'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `toolkit/${name}`)
  const entries = [
    'contract',
    'contract/line',
    'contract/services',
    'conformance',
    'testing',
    ...rooms,
  ]
  put({
    'every.ts': entries
      .map((entry, at) => `import * as entry${at} from 'waybill/${entry}'\nexport { entry${at} }`)
      .join('\n'),
    'provider.ts': `
      import type { Provider } from 'waybill/contract'
      import { upstreamFailure } from 'waybill/toolkit/errors'
      export default function create(): Provider {
        return {
          operations: {
            chat: {
              format: 'chat',
              address: (_wire, channel, { key }) => ({ method: 'POST', url: channel.baseUrl, headers: { key } }),
              fail: (status, headers, head) => upstreamFailure({ status, headers, head }),
            },
          },
        }
      }
      // @ts-expect-error A provider without operations is none: types are there, and are no \`any\`.
      export const wrong: Provider = {}
    `,
  })
  const compiler = join(project, 'node_modules/typescript/bin/tsc')
  const common = ['--noEmit', '--strict', '--target', 'es2023', '--types', 'node']
  for (const resolution of [
    ['--module', 'nodenext', '--moduleResolution', 'nodenext'],
    ['--module', 'esnext', '--moduleResolution', 'bundler'],
  ]) {
    const args = [compiler, ...common, ...resolution, '--skipLibCheck', 'false']
    const { stdout } = spawnSync(process.execPath, [...args, 'every.ts', 'provider.ts'], {
      cwd: folder,
      encoding: 'utf8',
    })
    const own = stdout
      .split('\n')
      .filter((line) => /^(error|every|provider|node_modules\/waybill)/.test(line))
    t.strictSame(own, [], resolution.join(' '))
  }
})

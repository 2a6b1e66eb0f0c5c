/** The test of new plugins: what is written compiles, is found by the gateway, and passes its own tests, its kit among them. */
import { execSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { run as runCheck } from '../../config/cli/plugin-check.js'
import { run, type scaffoldKinds } from '../../config/cli/plugin-new.js'
import { linesMax } from './lines-max.js'

const project = fileURLToPath(new URL('../../../', import.meta.url))

/** The packages it needs, as npm install would put them there. */
function install(folder: string): void {
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true })
  symlinkSync(project, join(folder, 'node_modules/waybill'), 'dir')
  for (const name of ['@types/node', 'undici-types']) {
    symlinkSync(join(project, 'node_modules', name), join(folder, 'node_modules', name), 'dir')
  }
}

/** What `plugin check` states of it. */
async function check(folder: string) {
  const written = t.capture(process.stdout, 'write', () => true)
  try {
    const status = await runCheck([folder, '--no-test'])
    return {
      status,
      text: written()
        .map(({ args: [text] }) => String(text))
        .join(''),
    }
  } finally {
    written.restore()
  }
}

/** One test for each kind; a file of tests has a limit of time. */
export function testNew(kinds: readonly (typeof scaffoldKinds)[number][]): void {
  for (const kind of kinds)
    t.test(`a new ${kind} compiles, is short, and passes its own tests`, async (t) => {
      const folder = join(t.testdir({}), 'made')
      const words: string[] = []
      await run([kind, 'new-star', '--dir', folder], (text) => words.push(text))
      t.match(words.join(''), /npm install\n {2}npm test/)
      for (const file of ['README.md', '.gitignore', '.github/workflows/ci.yml', 'package.json']) {
        t.ok(existsSync(join(folder, file)), file)
      }
      const text = (file: string) => readFileSync(join(folder, file), 'utf8')
      t.equal(JSON.parse(text('src/manifest.json')).id, `${kind}.new-star`)
      t.notMatch(text('src/manifest.json') + text('src/index.ts'), /acme/i)
      const lines = (text('src/manifest.json') + text('src/index.ts')).split('\n').length - 1
      t.ok(lines <= linesMax[kind], `${lines} lines`)

      install(folder)
      const compiler = join(project, 'node_modules/typescript/bin/tsc')
      // Types are looked at by the check below.
      const { scripts } = JSON.parse(text('package.json'))
      const build = scripts.build.replace(/^tsc/, `"${process.execPath}" "${compiler}" --noCheck`)
      execSync(build, { cwd: folder, stdio: 'inherit' })
      const { status: checkStatus, text: checkText } = await check(folder)
      t.equal(checkStatus, 0, checkText)
      t.match(checkText, /the types passed/)
      t.notMatch(checkText, /^(?:fault|warning)/m)
      const { TAP: _, NODE_OPTIONS: __, NODE_TEST_CONTEXT: ___, ...env } = process.env
      const args = ['--test-reporter=tap', 'dist/test/plugin.test.js']
      const { status, stdout } = spawnSync(process.execPath, args, {
        ...{ cwd: folder, encoding: 'utf8', env },
      })
      t.equal(status, 0, stdout.slice(-4000))
      const kept = ['.github', '.gitignore', 'README.md', 'dist', 'node_modules', 'package.json']
      const left = [...kept, 'src', 'test', 'tsconfig.json']
      t.strictSame(readdirSync(folder).sort(), left, 'tests leave nothing in the folder')
    })
}

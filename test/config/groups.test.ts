/** Which test files share a process, and that they know nothing of each other there. */
import { spawnSync } from 'node:child_process'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

/** From `dist/test/config` to the project, where the scripts are, which are not compiled. */
const project = fileURLToPath(new URL('../../../', import.meta.url))
const script = new URL('../../../test/groups.mjs', import.meta.url).href
type Group = (files: readonly string[], root: string) => readonly (readonly string[])[]
const { groupsOf }: { readonly groupsOf: Group } = await import(script)

t.test('who looks at the process has one, the others are spread over few', (t) => {
  const root = t.testdir({
    'spawns.js': "import { spawn } from 'node:child_process'\n",
    'weighs.js': 'process.memoryUsage()\n',
    ...Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`plain-${at}.js`, ''])),
  })
  const plain = Array.from({ length: 8 }, (_, at) => `plain-${at}.js`)
  const groups = groupsOf(['spawns.js', ...plain, 'weighs.js'], root)
  t.strictSame(groups.slice(0, 2), [['spawns.js'], ['weighs.js']])
  t.strictSame(groups.slice(2), [
    ['plain-0.js', 'plain-2.js', 'plain-4.js', 'plain-6.js'],
    ['plain-1.js', 'plain-3.js', 'plain-5.js', 'plain-7.js'],
  ])
  t.end()
})

t.test('files run in turn, each with hooks, folder and end of its own', (t) => {
  const first = `import t from 'tap'
    globalThis.told = []
    t.beforeEach(() => told.push('before'))
    t.teardown(() => told.push('gone'))
    const folder = t.testdir({ mine: 'first' })
    t.test('one', async (t) => t.ok(folder))
  `
  const second = `import { existsSync } from 'node:fs'
    import t from 'tap'
    t.test('alone', async (t) => t.strictSame(told, ['before', 'gone']))
    t.test('finds no folder', async (t) => t.notOk(existsSync(t.testdirName + '/mine')))
  `
  const { status, output } = run(t, { 'first.js': first, 'second.js': second })
  t.equal(status, 0, output)
  t.match(output, /^ok 1 - \S+first\.js/m)
  t.match(output, /^ok 2 - \S+second\.js/m)
  t.match(output, /^ {4}ok 2 - finds no folder/m)
  t.end()
})

t.test('a file that cannot be loaded or does not end fails by its name', (t) => {
  const { status, output } = run(t, {
    'broken.js': "import './gone.js'",
    'endless.js':
      "import t from 'tap'\nt.test('waits', () => new Promise((r) => setTimeout(r, 4000)))",
    'sound.js': "import t from 'tap'\nt.test('holds', async (t) => t.ok(true))",
  })
  t.equal(status, 1)
  t.match(output, /^not ok 1 - \S+broken\.js/m)
  t.match(output, /^not ok 2 - \S+endless\.js/m)
  t.match(output, /^ok 3 - \S+sound\.js/m)
  t.end()
})

interface Test {
  testdir(files: Readonly<Record<string, string>>): string
}

function run(t: Test, files: Readonly<Record<string, string>>) {
  const folder = t.testdir(files)
  const names = Object.keys(files).map((name) => relative(project, join(folder, name)))
  const args = [join(project, 'test/several.mjs'), '2', ...names]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: project,
    env: { ...process.env, TAP_TIMEOUT: '20' },
    encoding: 'utf8',
  })
  return { status, output: `${stdout}${stderr}` }
}

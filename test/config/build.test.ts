/** `npm run build` in a project of its own: what it copies, when it does nothing, and what it leaves when it fails. */
import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { scratch } from './scratch.js'

const files = {
  'kernel/one.ts': 'export const one: number = 1\n',
  'kernel/two.ts': "import { one } from './one.js'\n\nexport const two: number = one + one\n",
  'kernel/store/0001.sql': 'select 1;\n',
  'plugins/a/manifest.json': '{ "id": "service.a" }\n',
  'test/fixtures/case/entry.mjs': 'export default 1\n',
  'test/fixtures/case/README.md': 'words\n',
}

t.test(
  'a build compiles, copies what is read beside the modules, and is not repeated',
  async (t) => {
    const project = scratch(t, files)
    const read = (path: string) => readFileSync(join(project.root, path), 'utf8')
    t.strictSame(await project.run('build.mjs'), { status: 0, output: 'Building dist/ …\n' })
    t.match(read('dist/kernel/two.js'), /one \+ one/)
    t.match(read('dist/kernel/two.d.ts'), /two: number/)
    for (const [path, text] of Object.entries(files).slice(2)) t.equal(read(`dist/${path}`), text)
    t.match(read('dist/public/index.html'), /a page/)
    const stamp = read('dist/built.json')
    await project.run('build.mjs')
    t.equal(read('dist/built.json'), stamp, 'nothing was newer')
    t.notOk(existsSync(join(project.root, 'dist.lock')))
  },
)

t.test('what changed is built again, what is gone disappears', async (t) => {
  const project = scratch(t, files)
  const at = (path: string) => join(project.root, path)
  await project.run('build.mjs')
  project.write('kernel/one.ts', 'export const one: number = 111\n')
  rmSync(at('kernel/two.ts'))
  rmSync(at('kernel/store/0001.sql'))
  t.strictSame(await project.run('build.mjs'), { status: 0, output: 'Building dist/ …\n' })
  t.match(readFileSync(at('dist/kernel/one.js'), 'utf8'), /111/)
  for (const gone of ['two.js', 'two.js.map', 'two.d.ts', 'store/0001.sql']) {
    t.notOk(existsSync(at(`dist/kernel/${gone}`)), gone)
  }
  for (const left of ['dist.next', 'dist.old', 'dist.lock']) t.notOk(existsSync(at(left)), left)
})

t.test(
  'pages of the console are built again when their sources changed, and kept otherwise',
  async (t) => {
    const project = scratch(t, files)
    const page = () => readFileSync(join(project.root, 'dist/public/index.html'), 'utf8')
    await project.run('build.mjs')
    const mark = '<!-- as it was -->'
    writeFileSync(join(project.root, 'dist/public/index.html'), mark)
    project.write('kernel/one.ts', 'export const one: number = 2\n')
    t.strictSame(await project.run('build.mjs'), { status: 0, output: 'Building dist/ …\n' })
    t.equal(page(), mark)
    project.write('console/index.html', '<!doctype html><title>another page</title>\n')
    t.strictSame(await project.run('build.mjs'), { status: 0, output: 'Building dist/ …\n' })
    t.match(page(), /another page/)
  },
)

t.test('a build that fails leaves the last one as it was, and fails again', async (t) => {
  const project = scratch(t, files)
  await project.run('build.mjs')
  project.write('kernel/one.ts', "export const one: number = 'no number'\n")
  for (const attempt of ['first', 'second']) {
    const { status, output } = await project.run('build.mjs')
    t.equal(status, 1, attempt)
    t.match(output, /kernel\/one\.ts.*TS2322[\s\S]*The build failed; dist\/ is as it was\./)
  }
  t.match(readFileSync(join(project.root, 'dist/kernel/one.js'), 'utf8'), /= 1/)
  t.notOk(existsSync(join(project.root, 'dist.next')))
})

t.test('of two builds at once the second waits and finds the work done', async (t) => {
  const project = scratch(t, files)
  const both = await Promise.all([project.run('build.mjs'), project.run('build.mjs')])
  t.strictSame(
    both.map(({ status }) => status),
    [0, 0],
  )
  t.strictSame(both.map(({ output }) => output).toSorted(), ['', 'Building dist/ …\n'])
  t.ok(existsSync(join(project.root, 'dist/built.json')))
  t.notOk(existsSync(join(project.root, 'dist.lock')))
})

t.test('the lock of a process that died, or of long ago, is taken over', async (t) => {
  const project = scratch(t, {})
  const lock = join(project.root, 'a.lock')
  const work = `
    import { underLock } from './config/checks/lock.mjs'
    await underLock('a.lock', () => console.log('worked'))`
  // No process has a number this large.
  project.write('a.lock', '99999999')
  t.strictSame(await project.run(work), { status: 0, output: 'worked\n' })
  project.write('a.lock', String(process.pid))
  const longAgo = new Date(Date.now() - 3_600_000)
  utimesSync(lock, longAgo, longAgo)
  t.strictSame(await project.run(work), { status: 0, output: 'worked\n' })
  t.notOk(existsSync(lock))
})

t.test('npm start states in one sentence that the compiler is missing', async (t) => {
  const project = scratch(t, files)
  rmSync(join(project.root, 'node_modules'))
  t.strictSame(await project.run('start.mjs'), {
    status: 1,
    output: 'The sources are newer than dist/ and the compiler is missing; run npm ci.\n',
  })
})

/** The kits run under any test runner: what is passed is its function, or an object that has one. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { conformingGuard } from './guard.js'
import { guardManifest, guardSubject, soundGuard } from './guard-example.js'

const kits = new URL('./index.js', import.meta.url).href
const example = new URL('./guard-example.js', import.meta.url).href

/** Runs a file of node:test. Returns its status and how many of its tests passed and failed. */
function underNode(t: Test, text: string) {
  const file = join(t.testdir({}), 'kit.test.mjs')
  const imports = `import { test } from 'node:test'
    import { conformingGuard } from '${kits}'
    import { guardSubject } from '${example}'\n`
  writeFileSync(file, imports + text)
  const { TAP: _, NODE_OPTIONS: __, NODE_TEST_CONTEXT: ___, ...env } = process.env
  const args = ['--test-reporter=tap', file]
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', env })
  const count = (word: string) => Number(new RegExp(`^# ${word} (\\d+)$`, 'm').exec(stdout)?.[1])
  return { status, passed: count('pass'), failed: count('fail') }
}

t.test('a kit takes the test function of node:test', async (t) => {
  const { status, passed, failed } = underNode(t, 'conformingGuard(test, guardSubject)')
  t.strictSame([status, failed], [0, 0])
  t.ok(passed > 10, `${passed} tests`)
})

t.test('a kit takes the context of a test of node:test, and can be waited for', async (t) => {
  const { status, passed, failed } = underNode(
    t,
    "test('all of it', async (t) => { await conformingGuard(t, guardSubject) })",
  )
  t.strictSame([status, failed], [0, 0])
  t.ok(passed > 10, `${passed} tests`)
})

t.test('what fails in a kit fails under node:test', async (t) => {
  const { status, failed } = underNode(
    t,
    'conformingGuard(test, { ...guardSubject, create: () => ({ check() {} }) })',
  )
  t.strictSame([status, failed], [1, 1])
})

t.test('a kit takes t of tap', async (t) => {
  await conformingGuard(t, guardSubject)
  t.ok(t.counts.pass > 10, `${t.counts.pass} tests`)
})

t.test(
  'a kit takes a function of any runner, as Vitest has one, and names its tests at once',
  async (t) => {
    const titles: string[] = []
    const test = (title: string, run: () => Promise<void>): void => {
      titles.push(title)
      run().catch(t.threw)
    }
    const ended = conformingGuard(test, {
      ...guardSubject,
      manifest: guardManifest,
      create: soundGuard,
    })
    t.ok(titles.length > 10)
    await ended
  },
)

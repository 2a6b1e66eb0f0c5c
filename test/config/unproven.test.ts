/** The end of a run names what it could not prove. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const script = new URL('../../../test/unproven.mjs', import.meta.url).href
interface Unproven {
  take(line: string): void
  lines(named: Readonly<Record<string, string | undefined>>): readonly string[]
}
const { unproven }: { readonly unproven: () => Unproven } = await import(script)

const everything = { DATABASE_URL: 'postgres://a@h/b', REDIS_URL: 'redis://h' }

function linesOf(output: readonly string[], named = everything): readonly string[] {
  const left = unproven()
  for (const line of output) left.take(line)
  return left.lines(named)
}

t.test('what was skipped is reported by reason, with the rules it would have proved', async (t) => {
  t.same(
    linesOf([
      'ok 1 - [UI-1] [UI-2] a page # time=5ms',
      'ok 2 - [SVC-3] another page # SKIP no Chromium',
      '        ok 1 - [SVC-4] [SVC-3] within a file # SKIP no Chromium',
      'ok 3 - a race # SKIP needs several sessions',
      'ok 4 - left out # SKIP',
      'not ok 5 - [OPS-1] proven elsewhere',
      '# SKIP in a text',
    ]),
    [
      '2 skipped, no Chromium: SVC-3, SVC-4',
      '1 skipped, needs several sessions: "a race"',
      '1 skipped, for no reason that was given: "left out"',
    ],
  )
  t.same(linesOf(['ok 1 - all of it']), [])
})

t.test('a server the run was not given is reported, whatever was skipped', async (t) => {
  t.match(linesOf([], { ...everything, DATABASE_URL: '' }), [/^PostgreSQL: .*embedded database$/])
  t.match(linesOf([], { ...everything, REDIS_URL: '' }), [/^Redis: /])
})

t.test('many titles are cut', async (t) => {
  const output = Array.from({ length: 20 }, (_, at) => `ok ${at} - [X-${at}] it # SKIP no server`)
  t.match(linesOf(output), [/^20 skipped, no server: .* and 8 more$/])
})

t.test('the closing line stays the last, behind what was not proved', async (t) => {
  const project = fileURLToPath(new URL('../../../', import.meta.url))
  const file = 'dist/test/kernel/toolkit/management/safe-redirect.test.js'
  const env = { ...process.env, DATABASE_URL: '', REDIS_URL: '', TAP: '' }
  const { stdout } = spawnSync(process.execPath, ['test/run.mjs', file], {
    ...{ cwd: project, env, encoding: 'utf8' },
  })
  const lines = stdout.trimEnd().split('\n')
  t.match(lines.at(-1), /^\d+ passed, 0 failed$/)
  const count = lines.indexOf('what this run could not prove:')
  t.ok(count > 0)
  t.match(lines[count + 1], /PostgreSQL/)
  t.match(lines[count + 2], /Redis/)
})

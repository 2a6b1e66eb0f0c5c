/** The bill of materials that goes with the package, and the question whether its parts are known to be vulnerable. */
import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'))

function ran(name: string, env: NodeJS.ProcessEnv = process.env) {
  const program = join(root, 'config/checks', name)
  return spawnSync(process.execPath, [program], { cwd: root, env, encoding: 'utf8' })
}

t.test('it holds every package the gateway runs on, with version and license', async (t) => {
  const { status, stderr } = ran('sbom.mjs')
  t.equal(status, 0, stderr)
  const bill = read('dist/sbom.cdx.json')
  t.match(bill, { bomFormat: 'CycloneDX', metadata: { component: { name: 'waybill' } } })
  const named = new Map<string, { licenses?: unknown[] }>(
    bill.components.map((one: Named) => [`${one.name}@${one.version}`, one]),
  )
  for (const [name, version] of Object.entries(read('package.json').dependencies)) {
    const component = named.get(`${name}@${version}`)
    t.ok((component?.licenses?.length ?? 0) > 0, `${name} with its license`)
  }
  const names = new Set(bill.components.map(({ name }: Named) => name))
  for (const tool of ['tap', 'typescript', 'vite']) t.notOk(names.has(tool), tool)
})

interface Named {
  readonly name: string
  readonly version: string
}

t.test(
  'a registry that does not reply fails no check, and a vulnerable package does',
  async (t) => {
    const rows = [
      [{ message: '405 Method Not Allowed' }, 0, /did not reply/],
      ['no JSON', 0, /did not reply/],
      [{ metadata: { vulnerabilities: counts(0) } }, 0, /0 critical, 0 high, 3 moderate, 4 low/],
      [{ metadata: { vulnerabilities: counts(1) } }, 1, /0 critical, 1 high/],
    ] as const
    for (const [reply, status, words] of rows) {
      const result = ran('audit.mjs', pathWithNpm(t, reply))
      t.equal(result.status, status, result.stdout)
      t.match(result.stdout, words)
    }
  },
)

const counts = (high: number) => ({ low: 4, moderate: 3, high, critical: 0 })

/** An npm that prints this. */
function pathWithNpm(t: Test, reply: unknown): NodeJS.ProcessEnv {
  const folder = t.testdir()
  const program = join(folder, 'npm')
  const text = typeof reply === 'string' ? reply : JSON.stringify(reply)
  writeFileSync(program, `#!/bin/sh\ncat <<'END'\n${text}\nEND\n`)
  chmodSync(program, 0o755)
  return { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` }
}

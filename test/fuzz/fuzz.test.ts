/** Everything the fuzzer has found stays mended, and a short run from a fixed seed finds nothing new (decision 0061). */
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import t from 'tap'
import { sourcePath } from './corpus.js'
import { complaintOf, type Finding, fuzz } from './target.js'
import { targets } from './targets/index.js'

const folder = sourcePath('test/fuzz/findings')
const findings = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.json'),
)
const shortRun = { seed: 20_261_123, ms: 900, executions: 2_000 } as const

for (const path of findings.sort()) {
  t.test(`[ERR-2] what once fell stays mended: ${path}`, async (t) => {
    const { target, complaint, input } = JSON.parse(
      readFileSync(`${folder}/${path}`, 'utf8'),
    ) as Finding
    const found = targets.find(({ name }) => name === target)
    t.ok(found, `there is a target ${target}`)
    t.equal(complaintOf(found!, input), undefined, `it fell with: ${complaint}`)
  })
}

for (const target of targets) {
  t.test(`[ERR-2] no input of a short run breaks a rule of ${target.name}`, async (t) => {
    const { executions, findings } = fuzz(target, shortRun)
    t.strictSame(findings, [])
    t.ok(executions > 0)
  })
}

t.test('[ERR-2] a rule that is broken is found, reduced, and reported once', async (t) => {
  const broken = {
    name: 'broken',
    inputs: fc.array(fc.nat(100)),
    check(list: readonly number[]) {
      if (list.includes(7)) throw new TypeError(`no place for ${list.length}`)
    },
  }
  const { findings } = fuzz(broken, { seed: 1, ms: 5_000, executions: 5_000 })
  t.strictSame(findings, [{ target: 'broken', complaint: 'TypeError: no place for 1', input: [7] }])
})

/**
 * `npm run fuzz`: feeds every parser inputs nobody meant, for a while. `-- --seed N` repeats a run, `--seconds S` is the
 * time for each target, `--target name` runs one alone. What falls is written to `test/fuzz/findings`, where the suite
 * plays it back for good. Ends with status 1 where anything fell.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { sourcePath } from './corpus.js'
import { type Finding, fuzz } from './target.js'
import { targets } from './targets/index.js'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    seconds: { type: 'string', default: '60' },
    target: { type: 'string' },
  },
})
const seed = Number(values.seed)
const ms = Number(values.seconds) * 1000
const chosen = targets.filter(({ name }) => values.target === undefined || name === values.target)
if (!Number.isInteger(seed) || !(ms > 0) || chosen.length === 0) {
  const names = targets.map(({ name }) => name).join(', ')
  console.error(`npm run fuzz -- [--seed N] [--seconds S] [--target name]; targets: ${names}`)
  process.exit(2)
}

let fallen = 0
for (const target of chosen) {
  const { executions, findings } = fuzz(target, { seed, ms })
  console.log(
    `${target.name}: ${executions} executions from seed ${seed}, ${findings.length} findings`,
  )
  for (const finding of findings) console.log(`  ${finding.complaint}\n  ${written(finding)}`)
  fallen += findings.length
}
process.exitCode = fallen === 0 ? 0 : 1

/** The path it was written to. The same input always has the same name. */
function written(finding: Finding): string {
  const text = `${JSON.stringify(finding, null, 2)}\n`
  const hash = createHash('sha256').update(JSON.stringify(finding.input)).digest('hex').slice(0, 12)
  const folder = `test/fuzz/findings/${finding.target}`
  mkdirSync(sourcePath(folder), { recursive: true })
  writeFileSync(sourcePath(`${folder}/${hash}.json`), text)
  return `${folder}/${hash}.json`
}

/**
 * `npm run check`: types of the program, of the kernel by itself and of the console, lint and format, boundaries, kits,
 * citations, the public types of the contract, who writes which table, and what nothing imports. Runs them all, then fails if any did.
 */
import { spawnSync } from 'node:child_process'
import { findApiFaults } from './api-types.mjs'
import { findTrespasses } from './boundaries.mjs'
import { findDeadCitations } from './citations.mjs'
import { findContractFaults } from './contract-report.mjs'
import { findMismatches } from './kits.mjs'
import { projectRoot } from './sources.mjs'
import { findStrangeWrites } from './tables.mjs'

const checks = {
  types: () => passes('node_modules/typescript/bin/tsc', '--noEmit', '--incremental', 'false'),
  'types of the kernel without plugins': () =>
    passes('node_modules/typescript/bin/tsc', '--project', 'kernel'),
  'types of the console': () =>
    passes('node_modules/vue-tsc/bin/vue-tsc.js', '--project', 'console'),
  'declared responses': async () => reports(await findApiFaults(), 'routes'),
  'lint and format': () => passes('node_modules/@biomejs/biome/bin/biome', 'check'),
  boundaries: () => reports(findTrespasses(), 'modules'),
  kits: () => reports(findMismatches(), 'plugins'),
  citations: () => reports(findDeadCitations(), 'citations'),
  'public types of the contract': () => reports(findContractFaults(), 'entries'),
  'tables and their owners': () => reports(findStrangeWrites(), 'writes'),
  // By `knip.jsonc`.
  'files, exports and dependencies in use': () =>
    passes(
      'node_modules/knip/bin/knip.js',
      '--include',
      'files,exports,types,dependencies,unlisted',
    ),
}

for (const [name, run] of Object.entries(checks)) {
  const [passed, words] = await run()
  console.log(`${name}: ${passed ? 'ok' : 'FAILED'}${words}`)
  if (!passed) process.exitCode = 1
}

function passes(tool, ...args) {
  const { status } = spawnSync(process.execPath, [tool, ...args], {
    cwd: projectRoot,
    stdio: 'inherit',
  })
  return [status === 0, '']
}

/** Nothing looked at is a fault of the check itself. */
function reports(result, unit) {
  for (const fault of result.faults) console.log(`  ${fault}`)
  return [result.faults.length === 0 && result[unit] > 0, ` (${result[unit]} ${unit})`]
}

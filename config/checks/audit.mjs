/**
 * `npm run audit`: known vulnerabilities of what the gateway runs on. Status 1 where one is high or critical; where the
 * registry does not reply to the question, a sentence and status 0, since that says nothing of the packages.
 */
import { spawnSync } from 'node:child_process'
import { projectRoot } from './sources.mjs'

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
  cwd: projectRoot,
  encoding: 'utf8',
  timeout: 60_000,
})
const found = countsIn(stdout)
if (found === undefined) {
  console.log('audit: the registry did not reply; nothing was looked at')
} else {
  const { low, moderate, high, critical } = found
  console.log(`audit: ${critical} critical, ${high} high, ${moderate} moderate, ${low} low`)
  if (high + critical > 0) process.exitCode = 1
}

function countsIn(text) {
  try {
    return JSON.parse(text).metadata?.vulnerabilities
  } catch {
    return undefined
  }
}

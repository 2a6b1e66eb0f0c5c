/**
 * `npm run sbom`: the bill of materials of what the gateway runs on, in CycloneDX, as `dist/sbom.cdx.json`. Also made when
 * the package is packed.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './sources.mjs'

const { status, stdout, stderr } = spawnSync(
  'npm',
  ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application'],
  { cwd: projectRoot, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
)
if (status !== 0) {
  console.error(stderr)
  process.exit(1)
}
const read = (name) => JSON.parse(readFileSync(join(projectRoot, name)))
const whole = JSON.parse(stdout)
// npm's own `--omit=dev` leaves out what a tool needs as well, so the lock file says what only tools need.
const running = new Set([whole.metadata.component['bom-ref'], ...runningPackages()])
const bill = {
  ...whole,
  // npm names it by the folder it stands in.
  metadata: {
    ...whole.metadata,
    component: { ...whole.metadata.component, name: read('package.json').name },
  },
  components: whole.components.filter((one) => running.has(one['bom-ref'])),
  dependencies: whole.dependencies
    .filter(({ ref }) => running.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => running.has(one)) })),
}
const place = join(projectRoot, 'dist', 'sbom.cdx.json')
mkdirSync(join(projectRoot, 'dist'), { recursive: true })
// Whoever packs meanwhile finds the whole file or none.
writeFileSync(`${place}.new`, `${JSON.stringify(bill, undefined, 2)}\n`)
renameSync(`${place}.new`, place)
console.log(`${bill.components.length} components in dist/sbom.cdx.json`)

function runningPackages() {
  return Object.entries(read('package-lock.json').packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
    .map(([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)}@${version}`)
}

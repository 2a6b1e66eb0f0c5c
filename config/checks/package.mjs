/**
 * `npm run check:package`: what `npm pack` makes is a sound package: it holds the program, its exports are there, and their types resolve
 * as those of ES modules, for Node.js and for bundlers.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from './sources.mjs'

/** What no clone has before it is built. */
const built = [
  'dist/sbom.cdx.json',
  'dist/config/cli/waybill.js',
  'dist/kernel/store/migrated.tar',
  'dist/public/index.html',
]

const folder = mkdtempSync(join(tmpdir(), 'waybill-package-'))
try {
  // As whoever publishes it does: what stands in it is built by its own scripts.
  rmSync(join(projectRoot, built[0]), { force: true })
  run('npm', 'pack', '--silent', '--pack-destination', folder)
  const tarball = join(folder, readdirSync(folder)[0])
  const { stdout: held } = spawnSync('tar', ['tzf', tarball], { encoding: 'utf8' })
  for (const path of built) {
    if (!held.includes(`package/${path}\n`)) throw new Error(`The package does not hold ${path}.`)
  }
  const tool = (path, ...args) => run(process.execPath, join('node_modules', path), ...args)
  const rooms = readdirSync(join(projectRoot, 'kernel/toolkit'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `toolkit/${name}`)
  tool('publint/src/cli.js', 'run', tarball, '--strict')
  tool(
    '@arethetypeswrong/cli/dist/index.js',
    ...[tarball, '--profile', 'esm-only', '--format', 'table-flipped', '--no-emoji', '--quiet'],
    ...['--include-entrypoints', ...rooms],
    // A pattern is no module; the rooms it stands for are looked at one by one.
    ...['--exclude-entrypoints', './toolkit/*'],
  )
  console.log('package: ok')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function run(command, ...args) {
  const { status } = spawnSync(command, args, { cwd: projectRoot, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} ${args.slice(0, 2).join(' ')} failed.`)
}

/** The package as npm packs it, unpacked in a folder of its own with its declared dependencies beside it and nothing else. */
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { putFiles } from '../kernel/registry/outside-kit.js'

/** The folder of this project. */
export const project = fileURLToPath(new URL('../../../', import.meta.url))

export interface Unpacked {
  /** Whole path of a folder that is removed after the test; the package lies in its `node_modules`. */
  readonly folder: string
  /** Whole path of the package itself. */
  readonly installed: string
  /** Its `package.json`. */
  readonly stated: {
    readonly version: string
    readonly exports: Readonly<Record<string, string | { types: string; default: string }>>
  }
  /** Whole path of its program. */
  readonly command: string
  /** Runs a program in `cwd`, by default the folder. Returns what it wrote; throws that where its status is not 0. */
  succeed(command: string, args: readonly string[], cwd?: string): string
  /** Writes files by their paths in the folder; what is no text becomes JSON. */
  put(files: Readonly<Record<string, string | object>>): void
  /** Adds a package of the project to those beside it. */
  link(name: string): void
}

/** Packs the project as it is built. Takes a few seconds, so a test file does it once. */
export function unpackedPackage(t: Pick<Test, 'teardown'>): Unpacked {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-package-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const modules = join(folder, 'node_modules')
  const installed = join(modules, 'waybill')

  function succeed(command: string, args: readonly string[], cwd = folder): string {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`)
    return stdout
  }

  const put = (files: Readonly<Record<string, string | object>>) => void putFiles(folder, files)

  function link(name: string): void {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(project, 'node_modules', name), join(modules, name))
  }

  mkdirSync(installed, { recursive: true })
  if (!existsSync(join(project, 'dist/sbom.cdx.json'))) {
    succeed(process.execPath, ['config/checks/sbom.mjs'], project)
  }
  succeed('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], project)
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))!
  succeed('tar', ['xzf', tarball, '--strip-components=1', '-C', installed])
  const stated = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  for (const name of Object.keys(stated.dependencies)) link(name)
  const command = join(installed, stated.bin.waybill)
  return { folder, installed, stated, command, succeed, put, link }
}

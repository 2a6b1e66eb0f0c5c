/** A small project of its own around the real scripts of `config/checks`, for what they do with files. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** From `dist/test/config` to the project. */
const project = fileURLToPath(new URL('../../../', import.meta.url))

export interface Scratch {
  readonly root: string
  write(path: string, text: string): void
  /** Runs a script of `config/checks`, or a piece of module code. */
  run(script: string): Promise<Ran>
}

interface Ran {
  readonly status: number | null
  readonly output: string
}

export function scratch(
  t: { testdir(): string },
  files: Readonly<Record<string, string>>,
): Scratch {
  const root = t.testdir()
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  for (const folder of ['kernel', 'plugins', 'providers', 'console', 'test'])
    mkdirSync(join(root, folder))
  cpSync(join(project, 'config/checks'), join(root, 'config/checks'), {
    recursive: true,
    filter: (path) => !path.endsWith('.ts'),
  })
  for (const name of [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    '.dependency-cruiser.cjs',
  ]) {
    cpSync(join(project, name), join(root, name))
  }
  write('console/index.html', '<!doctype html><title>a page</title>\n')
  write('console/vite.config.ts', vite)
  symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'))
  for (const [path, text] of Object.entries(files)) write(path, text)
  return { root, write, run: (script) => run(root, script) }
}

const vite = `export default { root: import.meta.dirname, build: { emptyOutDir: true } }
`

async function run(root: string, script: string): Promise<Ran> {
  const isFile = script.endsWith('.mjs')
  const args = isFile ? [join('config/checks', script)] : ['--input-type=module', '--eval', script]
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const [status] = await once(child, 'close')
  return { status, output }
}

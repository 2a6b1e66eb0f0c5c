/** `waybill plugin new`: writes the package of a new plugin, with a manifest, code that works, its tests and a README. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { programVersion } from '../version.js'

export const scaffoldKinds = ['provider', 'payment', 'oauth', 'notifier', 'task', 'guard'] as const

export const usage = `Usage: waybill plugin new <kind> <name> [--dir <folder>]

Writes the package of a new plugin: manifest, code, tests, README and a file for CI.

  <kind>          ${scaffoldKinds.join(', ')}
  <name>          lower-case letters, digits and dashes, such as acme
  --dir <folder>  where to; default: ./waybill-plugin-<name>
`

const namePattern = /^[a-z][a-z0-9-]{0,39}$/
const templates = new URL('../scaffold/', import.meta.url)

/** Resolves with the exit status. Rejects with a sentence for whoever typed the command. `write` is given what is printed. */
export async function run(
  args: readonly string[],
  write: (text: string) => unknown = (text) => process.stdout.write(text),
): Promise<number> {
  const { kind, name, folder } = commandOf(args)
  await requireEmpty(folder)
  const fill = filling(kind, name)
  for (const [path, text] of await filesOf(kind)) {
    const place = join(folder, path)
    await mkdir(dirname(place), { recursive: true })
    await writeFile(place, fill(text))
  }
  const shown = relative(process.cwd(), folder) || '.'
  write(
    `The ${kind} "${name}" stands in ${shown}. Next:\n\n` +
      `  cd ${shown}\n  npm install\n  npm test\n\n` +
      'Then set PLUGINS to this folder and start the gateway.\n',
  )
  return 0
}

interface Command {
  readonly kind: (typeof scaffoldKinds)[number]
  readonly name: string
  /** Whole path. */
  readonly folder: string
}

function commandOf(args: readonly string[]): Command {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { dir: { type: 'string' } },
    allowPositionals: true,
  })
  const [word, name = '', ...more] = positionals
  const kind = scaffoldKinds.find((one) => one === word)
  if (kind === undefined) {
    throw new Error(`The kind is "${word ?? ''}", and must be one of ${scaffoldKinds.join(', ')}.`)
  }
  if (!namePattern.test(name) || name.endsWith('-')) {
    throw new Error(
      `The name is "${name}", and must be at most 40 lower-case letters, digits and single dashes that begin with a letter.`,
    )
  }
  if (more.length > 0) throw new Error(`"${more[0]}" is more than a kind and a name.`)
  return { kind, name, folder: resolve(values.dir ?? `waybill-plugin-${name}`) }
}

async function requireEmpty(folder: string): Promise<void> {
  const there = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new Error(`${folder} is no folder that can be written to.`)
  })
  if (there.length > 0) throw new Error(`${folder} is not empty; name another folder with --dir.`)
}

/** Paths within the new package, and what is to be written there. */
async function filesOf(kind: string): Promise<readonly (readonly [path: string, text: string])[]> {
  const files: [string, string][] = []
  for (const part of ['package', kind]) {
    const root = fileURLToPath(new URL(`${part}/`, templates))
    const entries = await readdir(root, { recursive: true, withFileTypes: true })
    for (const entry of entries.filter((one) => one.isFile())) {
      const place = join(entry.parentPath, entry.name)
      files.push([written(relative(root, place)), await readFile(place, 'utf8')])
    }
  }
  return files
}

/** Packages leave out files of some names, which stand under others here. */
function written(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/^gitignore$/, '.gitignore')
    .replace(/^github\//, '.github/')
    .replace(/^test\/(\w+)\.ts$/, 'test/$1.test.ts')
}

/** Puts the name and the version in place of those that the templates have. */
function filling(kind: string, name: string): (text: string) => string {
  const title = name
    .split('-')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join(' ')
  const version = programVersion().replace(/^v/, '')
  return (text) =>
    text
      .replaceAll('acme', name)
      .replaceAll('Acme', title)
      .replaceAll('VERSION', version)
      .replace('KIND', `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`)
}

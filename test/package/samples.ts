/** A package of every kind that authors write, begun by the packed `waybill plugin new`, built, and installed by npm. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { scaffoldKinds } from '../../config/cli/plugin-new.js'
import type { Unpacked } from './tarball.js'

type SampleKind = (typeof scaffoldKinds)[number]

/** Names of the samples; one has a dash. */
export const names = {
  provider: 'nova',
  payment: 'novapay',
  oauth: 'novaid',
  notifier: 'nova-bell',
  task: 'novaclips',
  guard: 'novawords',
} as const satisfies Record<SampleKind, string>

export const idOf = (kind: SampleKind) => `${kind}.${names[kind]}`
export const packageOf = (kind: SampleKind) => `waybill-plugin-${names[kind]}`

/** What differs in the next version of each: a text of the code, and the one in its place. */
const changes: Readonly<Record<SampleKind, readonly [before: string, after: string]>> = {
  provider: ["'/v2/chat'", "'/v3/chat'"],
  payment: ["'/v1/checkouts'", "'/v2/checkouts'"],
  oauth: ["'profile email'", "'profile email phone'"],
  notifier: ["'/messages'", "'/v2/messages'"],
  task: ["'/v1/clips'", "'/v2/clips'"],
  guard: ['The request holds', 'Your request holds'],
}

export interface Sample {
  readonly kind: SampleKind
  /** Whole path. */
  readonly folder: string
  /** Of manifest and adapter. */
  readonly lines: number
}

/** Writes and builds all six below the folder of the package. */
export function writeSamples({ folder, command, succeed }: Unpacked): readonly Sample[] {
  return scaffoldKinds.map((kind) => {
    const place = join(folder, 'written', names[kind])
    succeed(process.execPath, [command, 'plugin', 'new', kind, names[kind], '--dir', place])
    build(place)
    const text = read(place, 'src/manifest.json') + read(place, 'src/index.ts')
    return { kind, folder: place, lines: text.split('\n').length - 1 }
  })
}

/** Makes version 0.2.0 of it, which does one thing otherwise. */
export function nextVersion({ kind, folder }: Sample): void {
  const [before, after] = changes[kind]
  replace(folder, 'src/index.ts', before, after)
  for (const file of ['package.json', 'src/manifest.json']) {
    replace(folder, file, '"version": "0.1.0"', '"version": "0.2.0"')
  }
  build(folder)
}

/** Installs packages below `prefix` as an operator does, without the network. */
export function install({ succeed }: Unpacked, prefix: string, samples: readonly Sample[]): void {
  mkdirSync(prefix, { recursive: true })
  if (!existsSync(join(prefix, 'package.json'))) {
    writeFileSync(join(prefix, 'package.json'), '{ "private": true }')
  }
  npm(succeed, prefix, ['install', '--install-links', ...samples.map(({ folder }) => folder)])
}

export function uninstall({ succeed }: Unpacked, prefix: string, kinds: readonly SampleKind[]) {
  npm(succeed, prefix, ['uninstall', ...kinds.map(packageOf)])
}

function npm(succeed: Unpacked['succeed'], prefix: string, args: readonly string[]): void {
  // The gateway itself is a peer, which stands elsewhere here.
  const options = ['--offline', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund']
  succeed('npm', [...args, ...options], prefix)
}

/** As the package's own `npm run build` leaves it, without a check of its types, which test/scaffold does. */
function build(folder: string): void {
  const compilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
  }
  const { outputText } = ts.transpileModule(read(folder, 'src/index.ts'), { compilerOptions })
  mkdirSync(join(folder, 'dist/src'), { recursive: true })
  writeFileSync(join(folder, 'dist/src/index.js'), outputText)
  writeFileSync(join(folder, 'dist/src/manifest.json'), read(folder, 'src/manifest.json'))
}

function replace(folder: string, file: string, before: string, after: string): void {
  const text = read(folder, file)
  if (!text.includes(before)) throw new Error(`${file} has no ${before}`)
  writeFileSync(join(folder, file), text.replaceAll(before, after))
}

const read = (folder: string, file: string) => readFileSync(join(folder, file), 'utf8')

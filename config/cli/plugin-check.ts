/** `waybill plugin check`: holds the plugins of a folder against what the gateway asks of plugins from outside. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Checked } from '../../kernel/registry/checked.js'
import { checkAll } from '../../kernel/registry/checked.js'
import { discover } from '../../kernel/registry/discovery.js'
import { kernelServiceNames } from '../../kernel/registry/kernel-services.js'
import { namesOf } from '../../kernel/registry/manifest-set.js'
import { discoverOutside } from '../../kernel/registry/outside.js'
import { stageOrder } from '../../kernel/toolkit/stage/line.js'
import { order } from '../../plugins/stages/line.js'
import { builtInRoots } from '../built-in.js'
import { codeFindings } from './checked-code.js'
import { packageFindings } from './checked-package.js'
import { createFindings, testFindings, typeFindings } from './checked-run.js'
import type { Finding } from './finding.js'

export const usage = `Usage: waybill plugin check <folder> [--no-test]

Checks the plugins of a folder: manifest, contract, code, types, what they create, and their own tests.

  <folder>   with a package.json that names its plugins, or with a manifest.json
  --no-test  leaves out "npm test"
`

/** What the kernel provides to services and management areas, and the stages guards stand at. */
const surroundings = { kernelServices: kernelServiceNames, line: stageOrder(order) }

/** Resolves with the exit status: 1 with a fault. Rejects with a sentence for arguments that mean nothing. */
export async function run(args: readonly string[]): Promise<number> {
  const { folder, isTested } = commandOf(args)
  let faults = 0
  const print = (findings: readonly Finding[]) => {
    for (const { level, text } of findings) process.stdout.write(`${level.padEnd(8)}${text}\n`)
    faults += findings.filter(({ level }) => level === 'fault').length
    return faults === 0
  }
  print(await packageFindings(folder))
  const { checked, findings, formats } = await manifestsOf(folder)
  print(findings)
  // Code in which a fault was found is not run.
  if (print(typeFindings(folder))) {
    for (const one of checked) print(await codeFindings(one))
    if (faults === 0) for (const one of checked) print(createFindings(one, formats))
    if (faults === 0 && isTested) print(testFindings(folder))
  }
  return faults === 0 ? 0 : 1
}

function commandOf(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { 'no-test': { type: 'boolean' } },
    allowPositionals: true,
  })
  const [folder, more] = positionals
  if (folder === undefined || more !== undefined) throw new Error('One folder is expected.')
  if (!existsSync(resolve(folder))) throw new Error(`There is no folder ${resolve(folder)}.`)
  return { folder: resolve(folder), isTested: values['no-test'] !== true }
}

/** By the gateway's own reader, among the plugins that come with it. */
async function manifestsOf(folder: string) {
  const own = await discover(builtInRoots)
  const ids = own.map(({ text }) => String((JSON.parse(text) as { id: string }).id))
  const outside = await discoverOutside({ names: [folder], from: [folder] }, new Set(ids))
  const all = checkAll([...own, ...outside.found], surroundings)
  const formats = namesOf(
    all.map(({ manifest }) => manifest),
    'format',
  )
  const checked = all.slice(own.length)
  const problems = outside.problems.map((text): Finding => ({ level: 'fault', text }))
  return { checked, formats, findings: [...problems, ...checked.flatMap(manifestFindings)] }
}

function manifestFindings({ found, manifest, fault, warnings }: Checked): Finding[] {
  if (fault !== undefined) return [{ level: 'fault', text: fault }]
  const entry = join(found.origin!.folder, manifest.entry)
  const sound = `${manifest.id}: the manifest is sound.`
  return [
    { level: 'ok', text: sound },
    ...warnings.map((text): Finding => ({ level: 'warning', text: `${manifest.id}: ${text}` })),
    ...(found.text.length > 65_536
      ? [{ level: 'warning', text: `${found.where} has more than 64 kB.` } as const]
      : []),
    ...(existsSync(entry)
      ? []
      : [
          {
            level: 'fault',
            text: `${found.where}: "entry" names ${entry}, which is not there; is the package built?`,
          } as const,
        ]),
  ]
}

/** Looks at the modules of a plugin, as they are imported from its entry, without running them. */
import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { init, parse } from 'es-module-lexer'
import type { PluginKind } from '../../kernel/contract/manifest.js'
import type { Checked } from '../../kernel/registry/checked.js'
import { isPure } from '../../kernel/registry/kit.js'
import { globalUses } from './checked-globals.js'
import type { Finding } from './finding.js'

const reaching =
  /^(node:)?(fs|net|http|https|http2|tls|dgram|dns|child_process|cluster|worker_threads|process|inspector|repl|os)(\/.*)?$/
/** Of one module; a larger one is most likely bundled with what it need not hold. */
const bytesMax = 1_048_576

export async function codeFindings({ found, manifest }: Checked): Promise<readonly Finding[]> {
  await init
  const { id, kind } = manifest
  const seen = new Set<string>()
  const findings: Finding[] = []
  const note = (level: Finding['level']) => (text: string) => {
    findings.push({ level, text: `${id}: ${text}` })
  }
  const fault = note('fault')
  const warning = note('warning')

  async function look(place: string): Promise<void> {
    if (seen.has(place)) return
    seen.add(place)
    const text = await readFile(place, 'utf8').catch(() => undefined)
    if (text === undefined) return fault(`${place} cannot be read.`)
    if (text.length > bytesMax) warning(`${place} has more than 1 MB.`)
    const imports = importsOf(text)
    if (imports === undefined) return
    for (const use of globalUses(text, kind)) warning(`${place} ${use}.`)
    for (const name of imports) {
      if (name === undefined) {
        fault(`${place} imports by a name that is computed, which cannot be checked.`)
      } else if (/^\.\.?\//.test(name)) {
        await look(resolve(dirname(place), name))
      } else {
        const reason = forbidden(name, kind)
        if (reason !== undefined) fault(`${place} imports "${name}", ${reason}.`)
      }
    }
  }

  /** Undefined: it is no module that could be run. */
  function importsOf(text: string): readonly (string | undefined)[] | undefined {
    try {
      return parse(text)[0]
        .filter(({ type }) => type !== 'import-meta')
        .map(({ specifier }) => specifier ?? undefined)
    } catch (error) {
      fault(`a module is no JavaScript: ${error instanceof Error ? error.message : error}.`)
      return undefined
    }
  }

  await look(join(found.origin!.folder, manifest.entry))
  return findings.some(({ level }) => level === 'fault')
    ? findings
    : [...findings, { level: 'ok', text: `${id}: its imports are allowed.` }]
}

const exported = /^waybill\/(contract(\/line|\/services)?|toolkit\/[\w-]+)$/

function forbidden(name: string, kind: PluginKind): string | undefined {
  if (/^(\/|file:)/.test(name)) return 'a path of this machine'
  if (/^(https?|data):/.test(name)) return 'which is no module of this machine'
  if (name === 'waybill' || name.startsWith('waybill/')) {
    return exported.test(name)
      ? undefined
      : 'and plugins import "waybill/contract" and "waybill/toolkit/<room>" alone'
  }
  if (isPure(kind) && reaching.test(name)) {
    return `and plugins of the kind "${kind}" reach nothing outside themselves`
  }
  return undefined
}

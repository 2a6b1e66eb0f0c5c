/** Looks at the `package.json` of a plugin: it uses the gateway that runs, and brings no copy of it along. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '../../kernel/contract/json.js'
import type { Finding } from './finding.js'

/** None for a folder without one. */
export async function packageFindings(folder: string): Promise<readonly Finding[]> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined)
  if (text === undefined) return []
  const stated = parsed(text)
  if (stated === undefined) return [{ level: 'fault', text: 'package.json is no JSON object.' }]
  const findings: Finding[] = []
  const { dependencies, peerDependencies, type } = stated
  if (isObject(dependencies) && 'waybill' in dependencies) {
    findings.push({
      level: 'fault',
      text: 'package.json has "waybill" among its "dependencies"; it belongs to "peerDependencies", since the gateway that runs is used.',
    })
  }
  if (!isObject(peerDependencies) || !('waybill' in peerDependencies)) {
    findings.push({
      level: 'warning',
      text: 'package.json does not have "waybill" among its "peerDependencies".',
    })
  }
  if (type !== 'module') {
    findings.push({ level: 'fault', text: 'package.json must state "type": "module".' })
  }
  return findings.length > 0 ? findings : [{ level: 'ok', text: 'package.json is sound.' }]
}

function parsed(text: string) {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

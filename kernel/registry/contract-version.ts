/**
 * Versions of the contract, one for each kind of plugin: what an author of providers has to know changes apart from what
 * an author of notifiers has. The major version grows where a sound plugin could fail, the minor one where something was
 * added. `kernel/contract/CHANGES.md` states what.
 */
import { gtr, ltr, satisfies, validRange } from 'semver'
import type { PluginKind } from '../contract/manifest.js'

export const contractVersions: Readonly<Record<PluginKind, string>> = {
  stage: '1.0.0',
  service: '1.0.0',
  format: '1.0.0',
  operation: '1.0.0',
  endpoint: '1.0.0',
  management: '1.0.0',
  provider: '1.0.0',
  guard: '1.0.0',
  task: '1.0.0',
  payment: '1.0.0',
  oauth: '1.0.0',
  notifier: '1.0.0',
}

/** A sentence where the plugin was written for another version of the contract of its kind; undefined: it fits. */
export function faultOfVersion(kind: PluginKind, range: string): string | undefined {
  if (validRange(range) === null)
    return `"engines.waybill" is "${range}", which is no range of versions; "^1.0" is one`
  const version = contractVersions[kind]
  if (satisfies(version, range)) return undefined
  return (
    `"engines.waybill" is "${range}", but this gateway has version ${version} of the contract of the kind "${kind}", ` +
    `which is counted apart from the releases of the gateway: ${wayOut(version, range)}`
  )
}

function wayOut(version: string, range: string): string {
  if (ltr(version, range)) return 'the plugin needs a newer gateway'
  if (gtr(version, range)) return 'the gateway needs a newer release of the plugin'
  return 'no version this range takes in is the one of the gateway'
}

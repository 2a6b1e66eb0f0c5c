/** The number of a channel type that a task type brings along under a name. */
import { readFileSync } from 'node:fs'
import { readManifest } from '../../../kernel/registry/manifest.js'

export function typeNamed(name: string): number {
  const file = new URL(`../../../plugins/tasks/${name}/manifest.json`, import.meta.url)
  const [type] = readManifest(readFileSync(file, 'utf8'), 'manifest.json').channelTypes
  return type!.id
}

/** What lies beside a task type: its manifest, and the answers its upstream documents. */
import { readFileSync } from 'node:fs'
import type { JsonObject } from '../../../../kernel/contract/json.js'

export function manifestOf(name: string): string {
  return textOf(`../../../../plugins/tasks/${name}/manifest.json`)
}

export function recorded(name: string, answer: string): JsonObject {
  return JSON.parse(textOf(`../../../fixtures/tasks/${name}/${answer}.json`))
}

function textOf(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8')
}

export const picture = 'data:image/png;base64,iVBORw0KGgo='

/** A report sent to the address of a task. */
export function reportOf(report: JsonObject): { readonly body: Buffer } {
  return { body: Buffer.from(JSON.stringify(report)) }
}

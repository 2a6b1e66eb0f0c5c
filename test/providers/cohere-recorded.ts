/** The fixtures of the Cohere provider, and the events an adapter reads from them. */
import { readFileSync } from 'node:fs'
import type { Event } from '../../kernel/contract/event.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import create from '../../providers/cohere/index.js'
import { adapterOf } from '../conformance/provider.js'

export function recorded(name: string): Buffer {
  return readFileSync(new URL(`../fixtures/cohere/${name}`, import.meta.url))
}

export function recordedJson(name: string): JsonObject {
  return JSON.parse(recorded(name).toString())
}

export function eventsOf(bytes: Buffer): Event[] {
  const reader = adapterOf(create(), 'chat').read!()
  return [...reader.push(bytes), ...reader.flush()]
}

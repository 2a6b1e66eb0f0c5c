/** One guard on the bench: created with settings, and asked about frozen records, whose bytes are compared afterwards. */
import assert from 'node:assert/strict'
import type { Body } from '../../kernel/contract/body.js'
import type { Call } from '../../kernel/contract/call.js'
import type { Guard } from '../../kernel/contract/guard.js'
import type { Received } from '../../kernel/contract/line/record.js'
import { declaredSettings } from '../../kernel/registry/declared-settings.js'
import { readManifest } from '../../kernel/registry/manifest.js'
import { Refusal } from '../../kernel/toolkit/errors/refusal.js'
import { builtInFormat } from './built-in-formats.js'
import type { GuardSubject } from './guard.js'
import { frozen } from './kit.js'
import { outgoingWorld } from './outgoing.js'

export type Verdict =
  | { readonly kind: 'passed' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'returned' }
  | { readonly kind: 'late' }

export interface GuardBench {
  /** The client's key. */
  readonly key: string
  readonly logged: readonly string[]
  judge(record: Readonly<Record<string, unknown>>): Promise<Verdict>
  /** Throws where bytes of a record were written to. */
  assertUnchanged(): void
}

const key = 'sk-conformance-Zq81mVb07RtYxw5NcE3kLpHsD9'
const receivedAt = 1_767_225_600_000
const unreachable = () => undefined
const value = { model: 'gpt-conformance', messages: [{ role: 'user', content: 'Hello' }] }

export function guardBench(subject: GuardSubject): GuardBench {
  const { withinMs = 1000 } = subject
  const manifest = readManifest(subject.manifest, 'manifest.json')
  const settings = settingsOf(subject)
  const { script = unreachable } = subject
  const { kit, logged } = outgoingWorld({ manifest, settings, script, now: receivedAt })
  const { log, fetch } = kit
  const guard = subject.create(Object.freeze({ settings, log, fetch }))
  const seen: (readonly [bytes: Buffer, before: Buffer])[] = []

  return {
    key,
    logged,
    async judge(record) {
      const met = recordOf(record)
      for (const bytes of bytesOf(met.body)) seen.push([bytes, Buffer.from(bytes)])
      return within(withinMs, () => verdictOf(guard, met))
    },
    assertUnchanged() {
      for (const [bytes, before] of seen) assert.ok(bytes.equals(before), 'bytes are as they were')
    },
  }
}

function settingsOf({ manifest: text, settings = {} }: GuardSubject) {
  const manifest = readManifest(text, 'manifest.json')
  const fields = manifest.settings.map((field) =>
    Object.hasOwn(settings, field.name) ? { ...field, default: settings[field.name] } : field,
  )
  return declaredSettings({ ...manifest, settings: fields })
}

/** A chat completion of user 7, with members of the case in place of its own. */
function recordOf(given: Readonly<Record<string, unknown>>): Received {
  const format = builtInFormat('chat')
  const body: Body = { kind: 'json', value, bytes: Buffer.from(JSON.stringify(value)) }
  const own = {
    requestId: 'req_01JZZZZZZZZZZZZZZZZZZZZZZZ',
    receivedAt,
    operation: 'chat',
    path: '/v1/chat/completions',
    body,
    client: { headers: { authorization: `Bearer ${key}` }, query: {}, address: '203.0.113.7' },
    credential: { kind: 'key', key },
    user: { id: 7, username: 'conformance', role: 1, group: 'default', walletId: 7 },
    ...{ model: value.model, stream: false, wantsUsage: false },
    ...given,
  }
  const call = given.call ?? callOf(own.body as Body, () => format.decodeRequest(value))
  return Object.freeze({ ...frozenData(own), format, call }) as unknown as Received
}

/** The canonical call of the case's body; of one that is no chat completion that of the kit's own. */
function callOf(body: Body, usual: () => Call): () => Call {
  return () => {
    try {
      return frozen(builtInFormat('chat').decodeRequest(body.kind === 'json' ? body.value : value))
    } catch {
      return frozen(usual())
    }
  }
}

/** What is a function or an object of a class stays as it is. */
function frozenData(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).map(([name, member]) => {
      const isData =
        Array.isArray(member) || Object.getPrototypeOf(member ?? 0) === Object.prototype
      return [name, isData ? frozen(member) : member]
    }),
  )
}

function bytesOf(body: Body): readonly Buffer[] {
  if (body.kind === 'form') return body.files.map(({ bytes }) => bytes)
  return body.kind === 'json' && body.bytes !== undefined ? [body.bytes] : []
}

async function verdictOf(guard: Guard, record: Received): Promise<Verdict> {
  try {
    const returned: unknown = await guard.check(record)
    return returned === undefined ? { kind: 'passed' } : { kind: 'returned' }
  } catch (error) {
    return isRefusal(error) ? { kind: 'refused', refusal: error } : { kind: 'threw', error }
  }
}

/** A guard that blocks the thread is late as well. */
async function within(ms: number, verdict: () => Promise<Verdict>): Promise<Verdict> {
  const startedAt = performance.now()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Verdict>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'late' }), ms)
  })
  try {
    const first = await Promise.race([verdict(), late])
    return performance.now() - startedAt > ms ? { kind: 'late' } : first
  } finally {
    clearTimeout(timer)
  }
}

/** By its shape as well: a second copy of the class is no fault of the guard's. */
function isRefusal(error: unknown): error is Refusal {
  if (error instanceof Refusal) return true
  return error instanceof Error && error.name === 'Refusal' && 'code' in error && 'status' in error
}

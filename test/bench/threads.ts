/** What a call of a plugin costs that runs in a thread of its own, in microseconds, beside the same call in the process. */
import { readFileSync } from 'node:fs'
import type { Adapter, Provider } from '../../kernel/contract/provider.js'
import { declaredSettings } from '../../kernel/registry/declared-settings.js'
import { readManifest } from '../../kernel/registry/manifest.js'
import { inThread } from '../kernel/registry/isolated-kit.js'

const place = new URL('../../providers/openai/', import.meta.url)
const sizes = { '1 KiB': 1024, '100 KiB': 100 * 1024, '1 MiB': 1024 * 1024 }

export async function runThreads(): Promise<void> {
  const entry = new URL('index.js', place).href
  const text = readFileSync(new URL('manifest.json', place), 'utf8')
  const manifest = readManifest(text, entry)
  const kit = { settings: declaredSettings(manifest) }
  const direct: { default(kit: object): Provider } = await import(entry)
  const { plugin: threaded } = await inThread<Provider>({ teardown() {} }, entry, text)
  console.log('\none call of a provider, µs: in the process, in a thread')
  for (const [name, size] of Object.entries(sizes)) {
    const [one, other] = [direct.default(kit), threaded].map((each) => addressUs(each, size))
    console.log(
      `  address, body of ${name.padEnd(12)}${one!.toFixed(1).padStart(8)}${other!.toFixed(1).padStart(10)}`,
    )
  }
  await threaded.stop?.()
}

function addressUs(provider: Provider, size: number): number {
  const adapter = (provider.operations.chat as readonly Adapter[])[0]!
  const value = { model: 'gpt-4o', messages: messagesOf(size) }
  const wire = { kind: 'json', value, bytes: Buffer.from(JSON.stringify(value)) } as const
  const channel = { id: 1, type: 1, baseUrl: 'https://api.example', settings: {} }
  const context = { now: 0, forwarded: { headers: {} }, model: 'gpt-4o', stream: false }
  const once = () => adapter.address(wire, channel, { key: 'k' }, context)
  const rounds = size > 100_000 ? 200 : 5_000
  for (let warmUp = 0; warmUp < rounds / 4; warmUp++) once()
  const start = process.hrtime.bigint()
  for (let round = 0; round < rounds; round++) once()
  return Number(process.hrtime.bigint() - start) / 1000 / rounds
}

/** As a conversation has them: texts of half a kibibyte. */
function messagesOf(size: number): readonly { role: string; content: string }[] {
  const count = Math.max(1, Math.round(size / 550))
  return Array.from({ length: count }, () => ({ role: 'user', content: 'word '.repeat(100) }))
}

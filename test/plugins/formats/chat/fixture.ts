/** Reads the fixtures of the chat format from the source tree, wherever the compiled test lies. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '../../../../kernel/contract/json.js'

export function fixturePath(name: string): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return join(folder, 'test/fixtures/chat', name)
}

export function streamFixture(name: string): Buffer {
  return readFileSync(fixturePath(`${name}.sse`))
}

export function bodyFixture(name: string): JsonObject {
  return JSON.parse(readFileSync(fixturePath(`${name}.json`), 'utf8')) as JsonObject
}

/** Every cut in two for small streams, seeded cuts in several pieces for others. */
export function* cuts(bytes: Buffer): Generator<Buffer[]> {
  if (bytes.length <= 4096) {
    for (let at = 0; at <= bytes.length; at += 1) yield [bytes.subarray(0, at), bytes.subarray(at)]
    yield [...bytes].map((byte) => Buffer.from([byte]))
    return
  }
  let seed = 42
  for (let run = 0; run < 200; run += 1) {
    const pieces: Buffer[] = []
    let from = 0
    while (from < bytes.length) {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
      const to = Math.min(bytes.length, from + 1 + (seed % (run + 2) ** 2))
      pieces.push(bytes.subarray(from, to))
      from = to
    }
    yield pieces
  }
}

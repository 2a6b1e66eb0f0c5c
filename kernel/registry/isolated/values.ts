/** Values as bytes and back. Buffers stay buffers, and what one message names twice is one object on the other side too. */
import { deserialize, serialize } from 'node:v8'

/** Throws a sentence where a value holds what cannot be copied, such as a function. */
export function packed(value: unknown): Uint8Array<ArrayBuffer> {
  try {
    return serialize(value) as Uint8Array<ArrayBuffer>
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new TypeError(`a value cannot be copied between threads: ${why}`)
  }
}

export function unpacked(bytes: Uint8Array): unknown {
  return deserialize(bytes)
}

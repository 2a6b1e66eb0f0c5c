/** A file as a source of bytes, read as fast as they are taken. */
import type { FileHandle } from 'node:fs/promises'
import type { ByteConsumer, ByteSource } from '../../../kernel/contract/bytes.js'
import { failureOf, Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { FileStretch } from './task-storage.js'

const pieceBytes = 64 * 1024

/** The handle is closed at the end, whatever it is. Absent: the whole file. */
export function fileSource(handle: FileHandle, stretch?: FileStretch): ByteSource {
  const { from: start, to } = stretch ?? { from: 0, to: Number.POSITIVE_INFINITY }
  let at = start
  let consumer: ByteConsumer | undefined
  let isFlowing = false
  let isReading = false
  let isOver = false

  /** A read under way has the handle still, and closes it then. */
  function finish(last?: (consumer: ByteConsumer) => void): void {
    if (isOver) return
    isOver = true
    if (!isReading) void handle.close().catch(() => {})
    if (consumer !== undefined) last?.(consumer)
  }

  async function flow(taker: ByteConsumer): Promise<void> {
    isReading = true
    try {
      while (isFlowing && !isOver) await hand(taker)
    } catch {
      finish(brokeOff)
    }
    isReading = false
    if (isOver) await handle.close().catch(() => {})
  }

  async function hand(taker: ByteConsumer): Promise<void> {
    const buffer = Buffer.allocUnsafe(Math.min(pieceBytes, to - at))
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, at)
    if (isOver) return
    at += bytesRead
    if (bytesRead > 0) {
      isFlowing = false
      const more = taker.data(buffer.subarray(0, bytesRead))
      isFlowing ||= more
    }
    if (at >= to) finish(ended)
    else if (bytesRead === 0) finish(to === Number.POSITIVE_INFINITY ? ended : brokeOff)
  }

  return {
    consume(next) {
      consumer = next
      this.resume()
    },
    resume() {
      isFlowing = true
      if (!isReading && !isOver) void flow(consumer!)
    },
    abort: () => finish(),
  }
}

const ended = (consumer: ByteConsumer) => consumer.end()
const brokeOff = (consumer: ByteConsumer) =>
  consumer.fail(failureOf(new Refusal('upstream_broke_off')))

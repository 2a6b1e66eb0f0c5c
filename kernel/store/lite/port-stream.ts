/**
 * A socket's stand-in for `pg`: a Duplex over a MessagePort. `connect` asks for a port; the other end of it is a
 * connection of the multiplexer.
 */
import { Duplex } from 'node:stream'
import type { MessagePort } from 'node:worker_threads'

export class PortStream extends Duplex {
  private port: MessagePort | undefined
  /** Bytes the reader has not taken yet. */
  private readonly waiting: Buffer[] = []
  private wanted = false

  constructor(private readonly dial: () => Promise<MessagePort>) {
    super({ allowHalfOpen: false })
  }

  connect(): this {
    this.dial().then(
      (port) => this.attach(port),
      (error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))),
    )
    return this
  }

  override _read(): void {
    this.wanted = true
    this.pass()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    this.post(Uint8Array.from(chunk))
    done()
  }

  override _writev(
    chunks: readonly { readonly chunk: Buffer }[],
    done: (error?: Error) => void,
  ): void {
    this.post(Uint8Array.from(Buffer.concat(chunks.map((each) => each.chunk))))
    done()
  }

  override _final(done: () => void): void {
    this.port?.close()
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.port?.close()
    done(error)
  }

  /** Verbs of a socket that `pg` calls; a port has nothing to set. */
  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    this.port?.ref()
    return this
  }

  unref(): this {
    this.port?.unref()
    return this
  }

  private attach(port: MessagePort): void {
    if (this.destroyed) {
      port.close()
      return
    }
    this.port = port
    port.on('message', (bytes: Uint8Array) => {
      this.waiting.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
      this.pass()
    })
    port.on('close', () => {
      this.waiting.push(endOfStream)
      this.pass()
    })
    this.emit('connect')
  }

  private pass(): void {
    while (this.wanted) {
      const bytes = this.waiting.shift()
      if (!bytes) return
      this.wanted = bytes === endOfStream ? this.push(null) : this.push(bytes)
    }
  }

  private post(bytes: Uint8Array<ArrayBuffer>): void {
    this.port?.postMessage(bytes, [bytes.buffer])
  }
}

const endOfStream = Buffer.alloc(0)

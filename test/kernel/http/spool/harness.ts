/** A gateway whose forms go to disk, clients that send theirs in pieces, and a disk that fails on command. */
import { createHash, randomBytes } from 'node:crypto'
import fs, { type FileHandle, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { RelayStart } from '../../../../kernel/http/server.js'
import type { FileSystem } from '../../../../kernel/http/spool/folder.js'
import { createSpool, type Spool } from '../../../../kernel/http/spool/spool.js'
import { ByteBudget } from '../../../../kernel/memory/byte-budget.js'
import { FakeClock } from '../../../kit/clock.js'
import {
  type GatewayOptions,
  json,
  type ScriptedGateway,
  scriptedGateway,
  until,
} from '../harness.js'

export const MiB = 1024 * 1024

export async function folderFor(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-test-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** What a test has the disk do in place of the system. */
interface DiskFaults {
  open?: () => Promise<void>
  /** In place of writing; `write` writes so many of the bytes, or all of them. */
  writev?: (write: (bytes?: number) => Promise<number>) => Promise<number>
  read?: () => Promise<void>
  close?: () => Promise<void>
}

export interface Disk {
  readonly files: FileSystem
  readonly faults: DiskFaults
  /** Files that are open, and all that ever were. */
  readonly open: number
  readonly opened: number
}

/** The real file system, with what the test puts before it. */
export function disk(): Disk {
  const faults: DiskFaults = {}
  let [open, opened] = [0, 0]
  const watched = (handle: FileHandle) => ({
    async writev(pieces: readonly Buffer[], position: number) {
      const write = async (bytes = Number.POSITIVE_INFINITY) => {
        const part = Buffer.concat(pieces).subarray(0, bytes)
        return (await handle.write(part, 0, part.length, position)).bytesWritten
      }
      if (faults.writev) return { bytesWritten: await faults.writev(write) }
      return handle.writev(pieces, position)
    },
    async read(buffer: Buffer, at: number, length: number, position: number) {
      await faults.read?.()
      return handle.read(buffer, at, length, position)
    },
    async close() {
      await faults.close?.()
      await handle.close()
      open -= 1
    },
  })
  const files = {
    ...fs,
    async open(path: string, flags: string, mode: number) {
      await faults.open?.()
      const handle = await fs.open(path, flags, mode)
      open += 1
      opened += 1
      return watched(handle)
    },
  } as object as FileSystem
  return {
    files,
    faults,
    get open() {
      return open
    },
    get opened() {
      return opened
    },
  }
}

/** As the system reports it. */
export const fault = (code: string) => Object.assign(new Error(`${code}: no`), { code })

export interface UploadGateway extends ScriptedGateway {
  readonly clock: FakeClock
  readonly budget: ByteBudget
  readonly spool: Spool
  readonly disk: Disk
  readonly folder: string
  /** Relays that have begun, with what they were passed. */
  readonly starts: RelayStart[]
  /** Ends the relay of this number, where they do not end by themselves. */
  end(index: number): void
  /** Nothing of any upload is left. */
  free(): boolean
  upload(head: UploadHead): Promise<Upload>
}

export interface UploadGatewayOptions extends GatewayOptions {
  readonly memory?: number
  readonly spoolBytes?: number
  readonly disk?: Disk
  readonly folder?: string
  /** Relays end on command only. */
  readonly waiting?: true
}

export async function uploadGateway(
  t: Test,
  { memory = 256 * MiB, spoolBytes = 512 * MiB, waiting, ...options }: UploadGatewayOptions = {},
): Promise<UploadGateway> {
  const clock = new FakeClock()
  const budget = new ByteBudget(memory)
  const used = options.disk ?? disk()
  const folder = options.folder ?? (await folderFor(t))
  const starts: RelayStart[] = []
  const ends: (() => void)[] = []
  let spool: Spool | undefined
  const it = await scriptedGateway(t, {
    // Everybody has a key: the number of their account.
    byKey: (key) => ({
      user: { id: Number(key), username: 'ann', role: 1, group: 'default', walletId: 1 },
      token: { id: Number(key) } as never,
    }),
    maxRequestBodyBytes: 64 * MiB,
    // Users are counted, and not the one address they come from.
    trustedProxies: ['127.0.0.1'],
    ...options,
    clock,
    budget,
    spool: (parts) => {
      spool = createSpool({ ...parts, folder, bytesMax: spoolBytes, files: used.files })
      return spool
    },
    async relay(start) {
      starts.push(start)
      if (waiting) await new Promise<void>((resolve) => ends.push(resolve))
      start.sink.send(200, json, JSON.stringify({ sum: sumOf(start.inbound.payload) }))
    },
  })
  const found = spool!
  t.teardown(() => {
    for (const end of ends) end()
    clock.advance(200_000)
  })
  return {
    ...it,
    ...{ clock, budget, spool: found, disk: used, folder, starts },
    end: (index) => ends[index]?.(),
    free: () => budget.held === 0 && found.held === 0 && used.open === 0,
    upload: (head) => upload(it, head),
  }
}

interface UploadHead {
  /** Declared. Absent: it comes in chunks. */
  readonly bytes?: number
  readonly key?: string
  readonly type?: string
  readonly headers?: readonly string[]
}

export interface Upload {
  /** Sends pieces of these bytes and resolves once the network has them. */
  send(bytes: Buffer): Promise<void>
  /** Sends so many chunks of one byte. */
  crumble(chunks: number): Promise<void>
  /** Nothing more comes of a body in chunks. */
  end(): void
  leave(): void
  text(): string
  readonly ended: boolean
}

async function upload(
  { socket }: ScriptedGateway,
  { bytes, key = '1', type = 'multipart/form-data; boundary=abcdef', headers = [] }: UploadHead,
): Promise<Upload> {
  const client = await socket()
  let text = ''
  let ended = false
  client.on('data', (piece) => {
    text += piece.toString('latin1')
  })
  client.on('close', () => {
    ended = true
  })
  const length = bytes === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes}`
  const lines = ['Host: h', `Authorization: ${key}`, `Content-Type: ${type}`, length, ...headers]
  client.write(['POST /v1/uploads HTTP/1.1', ...lines, '', ''].join('\r\n'))
  const write = (piece: Buffer | string) =>
    new Promise<void>((resolve) => client.write(piece, () => resolve()))
  return {
    async send(whole) {
      for (let at = 0; at < whole.length && !ended; at += pieceBytes) {
        const piece = whole.subarray(at, at + pieceBytes)
        if (bytes !== undefined) await write(piece)
        else
          await write(Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, crlf]))
      }
    },
    crumble: (chunks) => write('1\r\na\r\n'.repeat(chunks)),
    end: () => void client.write('0\r\n\r\n'),
    leave: () => client.destroy(),
    text: () => text,
    get ended() {
      return ended
    },
  }
}

const pieceBytes = 100_000
const crlf = Buffer.from('\r\n')

/** So many turns of the event loop: what is on its way arrives. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** Bytes of which no two stretches are alike. */
export function bytesOf(length: number): Buffer {
  return randomBytes(length)
}

export function sumOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The upload arrived byte for byte. */
export async function arrived(t: Test, upload: Upload, bytes: Buffer): Promise<void> {
  await until(() => upload.text().includes('"sum"') || upload.ended)
  t.match(upload.text(), /^HTTP\/1.1 200 /)
  t.match(upload.text(), sumOf(bytes))
}

/** It was refused so. */
export async function refused(t: Test, upload: Upload, status: number, code: string) {
  await until(() => upload.text().includes('\r\n\r\n') || upload.ended)
  t.match(upload.text(), new RegExp(`^HTTP/1.1 ${status} `))
  t.match(upload.text(), code)
}

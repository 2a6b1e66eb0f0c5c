/**
 * The worker thread of the embedded database: PGlite behind the multiplexer. Nothing else touches the instance, and
 * heavy SQL never blocks the thread that serves requests.
 */
import { writeFile } from 'node:fs/promises'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { PGlite } from '@electric-sql/pglite'
import { systemClock } from '../../schedule/system-clock.js'
import type { Order, Report, WorkerOptions } from './control.js'
import { Multiplexer } from './multiplexer.js'
import { openPglite } from './open.js'

// Typed by the one place that starts this worker, `lite.ts`.
const options: WorkerOptions = workerData

try {
  await serve(await openDatabase())
} catch (error) {
  report({ kind: 'failed', order: 'open', reason: reasonOf(error) })
}

async function openDatabase(): Promise<PGlite> {
  const database = await openPglite(options)
  await database.exec("SET timezone = 'UTC'")
  return database
}

async function serve(database: PGlite): Promise<void> {
  const multiplexer = new Multiplexer({
    execute: (batch) => execute(database, batch),
    broke: (error) =>
      setImmediate(() => {
        throw error
      }),
    clock: systemClock,
    idleTransactionMs: options.idleTransactionMs,
    parameters: await serverParameters(database),
  })
  parentPort?.on('message', (order: Order) => {
    if (order.kind === 'connect') attach(multiplexer, order.port, order.priority)
    else if (order.kind === 'snapshot') void finish(order.kind, () => dump(database, order.file))
    else {
      multiplexer.stop()
      void finish(order.kind, () => database.close())
    }
  })
  report({ kind: 'ready' })
}

async function execute(database: PGlite, batch: Buffer): Promise<Buffer> {
  const pieces: Buffer[] = []
  // The pieces are views of the instance's memory and change under the next one.
  const onRawData = (piece: Uint8Array) => void pieces.push(Buffer.from(piece))
  await database.execProtocolRawStream(batch, { syncToFs: false, onRawData })
  return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)
}

async function serverParameters(database: PGlite): Promise<Readonly<Record<string, string>>> {
  const { rows } = await database.query<{ version: string }>(
    "SELECT current_setting('server_version') AS version",
  )
  return {
    server_version: rows[0]?.version ?? '',
    server_encoding: 'UTF8',
    client_encoding: 'UTF8',
    DateStyle: 'ISO, MDY',
    TimeZone: 'UTC',
    integer_datetimes: 'on',
    standard_conforming_strings: 'on',
  }
}

function attach(multiplexer: Multiplexer, port: MessagePort, priority: number): void {
  const transport = {
    send: (bytes: Buffer) => {
      const own = Uint8Array.from(bytes)
      port.postMessage(own, [own.buffer])
    },
    close: () => port.close(),
  }
  const connection = multiplexer.attach(transport, priority)
  port.on('message', (bytes: Uint8Array) => {
    connection.receive(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  })
  port.on('close', () => connection.lost())
}

async function dump(database: PGlite, file: string): Promise<void> {
  const blob = await database.dumpDataDir('none')
  await writeFile(file, Buffer.from(await blob.arrayBuffer()))
}

async function finish(order: 'snapshot' | 'close', run: () => Promise<void>): Promise<void> {
  try {
    await run()
    report({ kind: 'done', order })
  } catch (error) {
    report({ kind: 'failed', order, reason: reasonOf(error) })
  }
}

function report(what: Report): void {
  parentPort?.postMessage(what)
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

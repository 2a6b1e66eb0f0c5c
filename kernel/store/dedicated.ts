/** Work that takes longer than a statement may: a connection for it alone, that ends with whoever requested it. */
import type pg from 'pg'
import type { Log } from '../contract/kit.js'
import type { DedicatedQuery } from '../contract/services/database.js'
import type { Connections } from './connections.js'

export interface DedicatedDependencies {
  readonly signal?: AbortSignal
  readonly log: Log
}

export async function dedicated<Result>(
  connections: Connections,
  run: (query: DedicatedQuery) => Promise<Result>,
  { signal, log }: DedicatedDependencies,
): Promise<Result> {
  signal?.throwIfAborted()
  const client = connections.single('long')
  client.on('error', (error) => log.warn({ err: error }, 'database connection lost'))
  await client.connect()
  const cancel = await canceller(connections, client)
  const abort = () => void cancel()
  signal?.addEventListener('abort', abort)
  try {
    return await run(async (text, values = []) => {
      signal?.throwIfAborted()
      return client.query(text, [...values])
    })
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', abort)
    await client.end().catch(() => undefined)
  }
}

/** How what runs on the connection is ended. The embedded database ends a statement when it is done. */
async function canceller(
  connections: Connections,
  client: pg.Client,
): Promise<() => Promise<void>> {
  if (connections.kind === 'pglite') return async () => undefined
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
  await endWithClient(client)
  return async () => {
    try {
      await connections.reads.query('SELECT pg_cancel_backend($1)', [rows[0].pid])
    } catch {
      // Nobody answers; without its client the server ends the statement by itself.
      client.connection.stream.destroy()
    }
  }
}

/** Also where this process dies: the server looks whether its client is still there (from version 14, on some systems). */
async function endWithClient(client: pg.Client): Promise<void> {
  await client.query(`SET client_connection_check_interval = '5s'`).catch(() => undefined)
}

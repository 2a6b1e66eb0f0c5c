/**
 * Several processes on one database that goes away for longer than the lease: nobody takes a living peer for dead, and
 * who was cut off alone learns that it lost its holds, not that a key was disabled.
 */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import type { GoneReason } from '../../../../kernel/contract/line/money.js'
import { postgresConnections } from '../../../../kernel/store/connections.js'
import { type OpenDatabase, useConnections } from '../../../../kernel/store/database.js'
import { databaseKind, freshDatabaseUrl, silentLog } from '../../../kit/database.js'
import {
  type Books,
  cost,
  draft,
  ledgerTest,
  nextId,
  openBooks,
  ownLedgerTest,
  type Person,
  type Process,
  settled,
} from './books.js'

/** Time as the database tells it has passed since anybody was heard. */
const longAgo = (books: Books, seconds: number, node = '%') =>
  books.set(
    `UPDATE instances SET last_seen = last_seen - make_interval(secs => ?),
       connected_since = connected_since - make_interval(secs => ?) WHERE id LIKE ?`,
    seconds,
    seconds,
    node,
  )

ownLedgerTest(
  '[BILL-1] after an outage for all, whoever is back first leaves the others their holds (P11)',
  async (t, books) => {
    const peers = [await books.process({ nodeName: 'b' }), await books.process({ nodeName: 'c' })]
    const person = await books.person(10_000n)
    const streams = await Promise.all(peers.map((peer) => stream(peer, person)))
    await longAgo(books, 3_600)
    for (const peer of [books, ...peers]) await peer.run('ledger.beat')
    await longAgo(books, 60)

    t.equal(await books.ledger.sweep(), 0, 'before its own heartbeat')
    await books.run('ledger.beat')
    t.equal(await books.ledger.sweep(), 0, 'after it')
    await longAgo(books, 25, 'node-1')
    await books.run('ledger.beat')
    for (const peer of peers) {
      t.equal(await peer.ledger.sweep(), 0, 'not yet heard, so it reveals nothing of others')
      await peer.run('ledger.beat')
      await peer.run('ledger.mark')
      await peer.ledger.flushed()
    }
    t.equal(await books.ledger.sweep(), 0)
    for (const { hold, gone } of streams) {
      t.strictSame(gone, [])
      t.strictSame(await hold.close(cost(70n)), settled(70n))
    }
    t.match(await books.row('SELECT count(*) FROM transfers WHERE kind = ?', 'corr'), { count: 0n })
  },
)

ownLedgerTest('who stays away for a lease after the others came back is gone', async (t, books) => {
  const dead = await books.process({ nodeName: 'dead' })
  const person = await books.person(10_000n)
  const { hold, gone } = await stream(dead, person)
  await longAgo(books, 60)
  await books.run('ledger.beat')
  for (let beats = 0; beats < 5; beats++) {
    t.equal(await books.ledger.sweep(), 0, `${beats * 7} s`)
    await longAgo(books, 7)
    await books.run('ledger.beat')
  }
  t.equal(await books.ledger.sweep(), 1)
  await dead.run('ledger.beat')
  await dead.run('ledger.mark')
  await dead.ledger.flushed()
  t.strictSame(gone, ['lost'], 'it is not reported that its key was disabled')
  await t.rejects(hold.cover(500n, draft), { code: 'database_unavailable' })
  t.strictSame(await hold.close(cost(70n)), settled(70n), 'its truth is a correction')
})

ledgerTest('a process of an earlier version judges nobody by silence', async (t, books) => {
  const quiet = await books.process({ nodeName: 'quiet' })
  const person = await books.person(1_000n)
  const { hold } = await stream(quiet, person)
  await longAgo(books, 60, 'quiet')
  await longAgo(books, 60, 'node-1')
  await books.run('ledger.beat')
  await books.set(
    "UPDATE instances SET connected_since = now() - interval '1 hour' WHERE id = 'node-1'",
  )
  t.match(await books.row('SELECT billing_sweep(200) AS closed'), { closed: 0 })
  await quiet.run('ledger.beat')
  t.strictSame(await hold.close(cost(1n)), settled(1n))
})

if (databaseKind === 'postgresql') {
  t.test('[BILL-1] two processes whose wires are cut for a minute lose no stream (P11)', overWires)
} else t.pass('wires are cut on PostgreSQL only')

async function overWires(t: Test): Promise<void> {
  const url = await freshDatabaseUrl(t)
  const books = await openBooks(t, {}, await opened(t, url))
  const wires = [await wire(t, url), await wire(t, url)]
  const processes: Process[] = []
  for (const [at, { address }] of wires.entries()) {
    const own = await opened(t, address)
    processes.push(await books.process({ nodeName: `wired-${at}`, wrap: () => own }))
  }
  const person = await books.person(10_000n)
  const streams = await Promise.all(
    processes.flatMap((each) => Array.from({ length: 6 }, () => stream(each, person))),
  )
  await longAgo(books, 3_600)
  for (const each of processes) await each.run('ledger.beat')
  for (const each of wires) each.cut()
  for (const each of processes) await t.rejects(each.run('ledger.beat'))
  await longAgo(books, 60)
  const charges = streams.slice(0, 3).map(({ hold }) => hold.close(cost(70n)))
  for (const each of wires) await each.mend()

  const [first, second] = processes as [Process, Process]
  await first.run('ledger.beat')
  t.equal(await first.ledger.sweep(), 0)
  await second.run('ledger.mark')
  await second.ledger.flushed()
  await second.run('ledger.beat')
  for (const { hold, gone } of streams.slice(3)) {
    t.strictSame(gone, [])
    charges.push(hold.close(cost(70n)))
  }
  t.strictSame(await Promise.all(charges), Array(12).fill(settled(70n)))
  t.match(await books.row('SELECT count(*) FROM transfers WHERE kind = ?', 'corr'), { count: 0n })
  t.strictSame(await books.ledger.check(), [])
}

async function opened(t: Test, url: string | undefined): Promise<OpenDatabase> {
  const connections = postgresConnections(url ?? '', silentLog)
  const database = await useConnections(connections, { log: silentLog })
  t.teardown(() => database.close())
  return database
}

/** A stream under way that has cost 40 so far, and what it received of its hold. */
async function stream(from: Process, person: Person) {
  const hold = from.hold(person, { requestId: nextId() })
  const gone: GoneReason[] = []
  hold.onGone((reason) => gone.push(reason))
  await hold.cover(100n, draft)
  hold.follow(() => 40n)
  await from.run('ledger.mark')
  await from.ledger.flushed()
  return { hold, gone }
}

/** A way to the server that can be cut and mended at the same address. */
async function wire(t: Test, target = '') {
  const server = new URL(target)
  const sockets = new Set<Socket>()
  const proxy = createServer((near) => {
    const far = connect(Number(server.port), server.hostname)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  const listen = async (port: number) => {
    proxy.listen(port, '127.0.0.1')
    await once(proxy, 'listening')
  }
  await listen(0)
  const port = (proxy.address() as { readonly port: number }).port
  const cut = () => {
    proxy.close()
    for (const socket of sockets) socket.destroy()
  }
  t.teardown(async () => cut())
  const address = new URL(target)
  address.host = `127.0.0.1:${port}`
  return { address: address.href, cut, mend: () => listen(port) }
}

t.comment(databaseKind)

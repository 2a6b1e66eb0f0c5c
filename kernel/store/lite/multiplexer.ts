/**
 * Lets several connections share one database session as if each had its own. One batch runs at a time. A
 * connection that leaves the session in a transaction owns it until the transaction ends; nobody else gets in
 * between. Among the others the higher priority goes first, and inside one priority they take turns.
 */
import type { Clock } from '../../contract/kit.js'
import { type Batch, Line, type Transport } from './line.js'
import { fatal, greeting, query, splitNotifications, statusAfter, sync } from './wire.js'

export interface MultiplexerDependencies {
  /** Runs one batch on the session and answers all it returned. */
  execute(batch: Buffer): Promise<Buffer>
  /** The session has broken; nothing can be run on it any more. */
  broke(error: Error): void
  readonly clock: Clock
  /** How long a connection may own the session without asking anything, milliseconds. */
  readonly idleTransactionMs: number
  /** Sent to every new connection. */
  readonly parameters: Readonly<Record<string, string>>
}

/** The client's end of a connection. */
export interface Connection {
  receive(bytes: Buffer): void
  /** The client is gone without a goodbye. */
  lost(): void
}

export class Multiplexer {
  private readonly lines = new Set<Line>()
  /** Batches of the house itself, between transactions. */
  private readonly chores: Batch[] = []
  private owner: Line | undefined
  private cancelIdle: (() => void) | undefined
  private running = false
  private stopped = false
  private lastId = 0

  constructor(private readonly dependencies: MultiplexerDependencies) {}

  attach(transport: Transport, priority: number): Connection {
    this.lastId += 1
    const line = new Line(this.lastId, priority, transport)
    this.lines.add(line)
    return {
      receive: (bytes) => this.receive(line, bytes),
      lost: () => {
        if (!line.ending || line.batches.length === 0) this.leave(line)
      },
    }
  }

  /** Nothing is run on the session any more. */
  stop(): void {
    this.stopped = true
  }

  private receive(line: Line, bytes: Buffer): void {
    if (line.closed) return
    if (line.receive(bytes)) line.send(greeting(line.id, this.dependencies.parameters))
    if (line === this.owner) this.watchOwner(line)
    if (line.ending && line.batches.length === 0) this.leave(line)
    void this.pump()
  }

  private async pump(): Promise<void> {
    if (this.running || this.stopped) return
    this.running = true
    try {
      for (let work = this.nextWork(); work; work = this.nextWork()) {
        await work()
        // Messages that came meanwhile are looked at first: one of them may matter more.
        await new Promise((done) => setImmediate(done))
      }
    } catch (error) {
      this.stopped = true
      this.dependencies.broke(error instanceof Error ? error : new Error(String(error)))
    }
    this.running = false
  }

  /** What runs next; undefined when nothing can. */
  private nextWork(): (() => Promise<unknown>) | undefined {
    if (this.stopped) return undefined
    if (this.owner?.closed) {
      this.owner = undefined
      return () => this.run(rollback)
    }
    const chore = this.owner ? undefined : this.chores.shift()
    if (chore) return () => this.run(chore)
    const line = this.owner ?? this.nextLine()
    const batch = line?.batches.shift()
    return line && batch ? () => this.serve(line, batch) : undefined
  }

  private nextLine(): Line | undefined {
    let best: Line | undefined
    for (const line of this.lines) {
      if (line.batches.length > 0 && (!best || line.priority > best.priority)) best = line
    }
    if (best) {
      this.lines.delete(best)
      this.lines.add(best)
    }
    return best
  }

  private async serve(line: Line, batch: Batch): Promise<void> {
    this.cancelIdle?.()
    this.owner = line
    const answer = await this.run(batch)
    if (statusAfter(answer) === 'idle') this.owner = undefined
    line.send(answer)
    if (line.batches.length > 0) return
    if (line.ending) this.leave(line)
    else if (this.owner) this.watchOwner(line)
  }

  /** Runs a batch, hands out the notifications it brought and answers the rest. */
  private async run(batch: Batch): Promise<Buffer> {
    const answer = await this.dependencies.execute(batch.bytes)
    if (batch.end === 'sync' && statusAfter(answer) === 'unsaid') {
      throw new Error('The embedded database broke off in the middle of an answer.')
    }
    const { rest, notifications } = splitNotifications(answer)
    for (const { channel, frame } of notifications) {
      for (const line of this.lines) {
        if (line.channels.has(channel)) line.send(Buffer.from(frame))
      }
    }
    return rest
  }

  private watchOwner(line: Line): void {
    this.cancelIdle?.()
    this.cancelIdle = this.dependencies.clock.after(this.dependencies.idleTransactionMs, () =>
      this.expel(line),
    )
  }

  /** Ends a transaction whose connection asks nothing (P8). */
  private expel(line: Line): void {
    if (this.owner !== line || line.batches.length > 0) return
    line.send(fatal('25P03', 'terminating connection due to idle-in-transaction timeout'))
    this.leave(line)
  }

  /** Ends a connection; an open transaction of it is rolled back before anyone else gets in. */
  private leave(line: Line): void {
    if (!this.lines.delete(line)) return
    line.close()
    const farewell = line.farewell()
    if (farewell) this.chores.push(farewell)
    void this.pump()
  }
}

// A pipeline that was not ended with Sync swallows what comes after an error.
const rollback: Batch = { bytes: Buffer.concat([sync, query('ROLLBACK')]), end: 'sync' }

/**
 * One connection to the shared session: makes batches of a client's messages (all up to Sync, Flush or a simple
 * query) and keeps what the connection alone knows, so that neighbours never meet: the names of its prepared
 * statements and the channels it listens to.
 */
import { FrameReader } from './frame-reader.js'
import { closeStatement, frontend, message, query, sync, text, textAt } from './wire.js'

/** What is run on the session at once. `flush`: its answer does not end with ReadyForQuery. */
export interface Batch {
  readonly bytes: Buffer
  readonly end: 'sync' | 'flush'
}

/** Where the answers of a connection go. */
export interface Transport {
  send(bytes: Buffer): void
  close(): void
}

export class Line {
  /** Batches that wait for the session. */
  readonly batches: Batch[] = []
  readonly channels = new Set<string>()
  /** The client has ended: what it sent before is done, then the connection ends. */
  ending = false
  /** Nothing can be sent to the client any more. */
  closed = false
  private readonly reader = new FrameReader()
  private readonly statements = new Set<string>()
  private pending: Buffer[] = []

  constructor(
    readonly id: number,
    readonly priority: number,
    readonly transport: Transport,
  ) {}

  /** Takes bytes of the client; true when they were the first. */
  receive(bytes: Buffer): boolean {
    const { opened, frames } = this.reader.read(bytes)
    for (const frame of frames) {
      if (this.ending) break
      this.add(frame)
    }
    return opened
  }

  send(bytes: Buffer): void {
    if (!this.closed && bytes.length > 0) this.transport.send(bytes)
  }

  close(): void {
    if (this.closed) return
    this.closed = true
    this.batches.length = 0
    this.transport.close()
  }

  /** A batch that forgets the statements this connection has prepared; undefined: there are none. */
  farewell(): Batch | undefined {
    if (this.statements.size === 0) return undefined
    const closings = [...this.statements].map((name) => closeStatement(this.own(name)))
    this.statements.clear()
    return { bytes: Buffer.concat([...closings, sync]), end: 'sync' }
  }

  private add(frame: Buffer): void {
    const type = frame[0]
    if (type === frontend.terminate) {
      this.ending = true
      return
    }
    this.pending.push(this.translate(frame))
    if (type === frontend.query || type === frontend.sync || type === frontend.flush) {
      const end = type === frontend.flush ? 'flush' : 'sync'
      this.batches.push({ bytes: Buffer.concat(this.pending), end })
      this.pending = []
    }
  }

  private translate(frame: Buffer): Buffer {
    switch (frame[0]) {
      case frontend.query:
        return this.simpleQuery(frame)
      case frontend.parse:
        return this.parse(frame)
      case frontend.bind:
        return this.renamed(frame, textAt(frame, 5).end)
      case frontend.describe:
      case frontend.close:
        return this.ofStatement(frame)
      default:
        return frame
    }
  }

  private simpleQuery(frame: Buffer): Buffer {
    const sql = textAt(frame, 5).value
    this.listen(sql)
    return copiesIn(sql) ? query(copyRefusal) : frame
  }

  private parse(frame: Buffer): Buffer {
    const name = textAt(frame, 5)
    const sql = textAt(frame, name.end)
    this.listen(sql.value)
    if (name.value !== '') this.statements.add(name.value)
    const own = this.renamed(frame, 5)
    if (!copiesIn(sql.value)) return own
    const body = [text(this.own(name.value)), text(copyRefusal), frame.subarray(sql.end)]
    return message(frontend.parse, Buffer.concat(body))
  }

  /** Describe and Close name a statement or a portal. */
  private ofStatement(frame: Buffer): Buffer {
    if (frame[5] !== 'S'.charCodeAt(0)) return frame
    if (frame[0] === frontend.close) this.statements.delete(textAt(frame, 6).value)
    return this.renamed(frame, 6)
  }

  /** The same message with this connection's mark before the statement's name that stands at `at`. */
  private renamed(frame: Buffer, at: number): Buffer {
    if (frame[at] === 0) return frame
    const mark = Buffer.from(`${this.id}.`)
    return message(frame[0] ?? 0, Buffer.concat([frame.subarray(5, at), mark, frame.subarray(at)]))
  }

  private own(name: string): string {
    return name === '' ? '' : `${this.id}.${name}`
  }

  private listen(sql: string): void {
    const given = /^\s*(un)?listen\s+(?:"((?:[^"]|"")+)"|([\w$]+|\*))\s*;?\s*$/i.exec(sql)
    if (!given) return
    const channel = given[2]?.replaceAll('""', '"') ?? given[3]?.toLowerCase() ?? ''
    if (!given[1]) this.channels.add(channel)
    else if (channel === '*') this.channels.clear()
    else this.channels.delete(channel)
  }
}

/** The embedded database dies of a COPY from the client, so it never sees one. */
function copiesIn(sql: string): boolean {
  return /\bcopy\b[^;]*\bfrom\s+stdin\b/i.test(sql)
}

const copyRefusal =
  "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'feature_not_supported', " +
  "MESSAGE = 'COPY FROM STDIN is not available on the embedded database'; END $$"

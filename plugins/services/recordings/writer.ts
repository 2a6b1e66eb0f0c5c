/**
 * Writes recordings behind the requests, one after the other. It may lose some and counts them: no request waits for it, memory
 * is bounded, and a database that fails costs recordings alone.
 */
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Log } from '../../../kernel/contract/kit.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { SecretBox } from '../../../kernel/contract/services/secrets.js'
import type { RequestRecording } from './request-recording.js'

const packed = promisify(gzip)
const unpacked = promisify(gunzip)

export type Side = 'client' | 'upstream'

function placeOf(requestId: string, side: Side): string {
  return `recordings:${requestId}:${side}`
}

export interface WriterOptions {
  readonly database: Pick<Database, 'knex'>
  readonly secrets: SecretBox
  readonly log: Log
  /** So many bytes were written. */
  wrote(bytes: number): void
}

export class RecordingWriter {
  private readonly waiting: RequestRecording[] = []
  private running: Promise<void> | undefined
  private isClosing = false
  written = 0
  dropped = 0

  constructor(private readonly options: WriterOptions) {}

  add(recording: RequestRecording): void {
    this.waiting.push(recording)
    this.running ??= this.run()
  }

  async flush(): Promise<void> {
    await this.running
  }

  /** Writes what waits, but does not try one after the other on a database that is away. */
  async close(): Promise<void> {
    this.isClosing = true
    await this.running
  }

  private async run(): Promise<void> {
    // The answer leaves first.
    await new Promise(setImmediate)
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      try {
        if (await this.write(next)) this.written += 1
      } catch (err) {
        this.dropped += 1
        const { requestId } = next
        this.options.log.warn({ err, requestId }, 'a request could not be recorded')
        if (this.isClosing) this.dropAll()
      } finally {
        next.release()
      }
      await new Promise(setImmediate)
    }
    this.running = undefined
  }

  private dropAll(): void {
    this.dropped += this.waiting.length
    for (const recording of this.waiting.splice(0)) recording.release()
  }

  /** What was switched off meanwhile is not written, nor are bodies where only headers are kept now: the statement looks. */
  private async write(recording: RequestRecording): Promise<boolean> {
    const { requestId, of } = recording
    const { client, upstream } = recording.sides()
    const sealed = [
      await this.sealed(requestId, 'client', client),
      await this.sealed(requestId, 'upstream', upstream),
    ] as const
    const bytes = sealed[0].length + sealed[1].length
    const { userId, tokenId = null, level, startedAt } = of
    const values = [
      requestId,
      userId,
      tokenId,
      level,
      bytes,
      ...sealed,
      tokenId,
      level,
      level,
      startedAt,
    ]
    const { rows } = await this.options.database.knex.raw(insertText, values)
    if (rows.length > 0) this.options.wrote(bytes)
    return rows.length > 0
  }

  private async sealed(requestId: string, side: Side, content: object): Promise<string> {
    const text = (await packed(JSON.stringify(content))).toString('base64')
    return this.options.secrets.seal(placeOf(requestId, side), text)
  }
}

export async function opened<Content>(
  secrets: SecretBox,
  requestId: string,
  side: Side,
  sealed: string,
): Promise<Content> {
  const text = secrets.openText(placeOf(requestId, side), sealed)
  return JSON.parse((await unpacked(Buffer.from(text, 'base64'))).toString('utf8'))
}

const insertText = `
INSERT INTO recordings (request_id, user_id, token_id, level, bytes, client_sealed, upstream_sealed)
SELECT ?, ?, ?, ?, ?, ?, ?
WHERE EXISTS (SELECT FROM tokens WHERE id = ? AND record_level IN ('bodies', ?))
  OR EXISTS (SELECT FROM recording_window WHERE level IN ('bodies', ?) AND ends_at > to_timestamp(?::float8 / 1000))
ON CONFLICT DO NOTHING
RETURNING request_id`

/**
 * One request as it is recorded. While it runs pieces are copied, within bounds; masking, sealing and writing come after
 * its answer.
 */
import type { ByteSource } from '../../../kernel/contract/bytes.js'
import type { Received } from '../../../kernel/contract/line/record.js'
import type {
  RecordedCall,
  RecordedRequest,
  RecordedTry,
  Recording,
} from '../../../kernel/contract/line/recording.js'
import type { EgressReply } from '../../../kernel/contract/services/egress.js'
import type { SinkWatcher } from '../../../kernel/contract/sink.js'
import { bytesOf } from '../../../kernel/toolkit/body/index.js'
import { BodyParts, kindOf } from './body.js'
import { callsMax, requestBytesMax } from './bounds.js'
import { addressOf, headersOf, pairs, sizeOf } from './heads.js'
import { keptAddress, keptHeaders, masking, type RawHeaders, secretsIn } from './masking.js'
import type { ClientSide, KeptBody, RecordingLevel, UpstreamSide } from './recordings.js'
import type { Room } from './room.js'
import { watchedSource } from './watched-source.js'

export interface RecordingOf {
  readonly level: RecordingLevel
  readonly userId: number
  readonly tokenId: number | undefined
  /** Unix milliseconds. */
  readonly startedAt: number
}

interface Head {
  readonly status: number
  readonly headers: RawHeaders
}

interface Call {
  readonly state: RecordedTry
  readonly request: Pick<RecordedRequest, 'method' | 'url' | 'headers'>
  readonly body: BodyParts
  reply?: Head & { readonly body: BodyParts }
  failed?: string
}

export class RequestRecording implements Recording, SinkWatcher {
  get requestId(): string {
    return this.received.requestId
  }

  private readonly received: Pick<Received, 'requestId' | 'path' | 'client'>
  private readonly secrets: string[] = []
  private readonly calls: Call[] = []
  private readonly request: BodyParts
  private readonly reply: BodyParts
  private head_: Head | undefined
  private gone = false
  /** Bytes held. */
  private held: number

  constructor(
    received: Received,
    readonly of: RecordingOf,
    private readonly room: Room,
    /** Of the head, for which there is room. */
    headBytes: number,
    private readonly done: (recording: RequestRecording) => void,
  ) {
    const { body, credential, requestId, path, client } = received
    // Not the record itself: its body may be large, and has to go with the request.
    this.received = { requestId, path, client }
    this.held = headBytes
    if (credential.kind === 'key') this.secrets.push(credential.key)
    this.request = this.parts(body.kind === 'form' ? 'form' : 'text')
    this.reply = this.parts('text')
    this.addBody(body)
  }

  sent(state: Call['state'], request: RecordedRequest, secrets: readonly string[]): RecordedCall {
    const size = request.url.length + sizeOf(Object.entries(request.headers))
    if (this.calls.length === callsMax || !this.takes(size)) return unrecorded
    for (const secret of secrets) if (!this.secrets.includes(secret)) this.secrets.push(secret)
    const { method, url, headers } = request
    const body = this.parts(request.isForm ? 'form' : kindOf(headers['content-type']))
    if (request.body !== undefined) body.add(request.body)
    const call: Call = { state, request: { method, url, headers }, body }
    this.calls.push(call)
    return {
      replied: (reply) => this.replied(call, reply),
      failed: (reason) => {
        call.failed = reason
      },
    }
  }

  head(status: number, flat: readonly string[]): void {
    const headers = [...pairs(flat)]
    this.head_ = { status, headers: this.takes(sizeOf(headers)) ? headers : [] }
  }

  bytes(chunk: Buffer | string): void {
    this.reply.add(chunk)
  }

  closed(gone: boolean): void {
    this.gone = gone
    this.done(this)
  }

  release(): void {
    this.room.leave(this.held)
  }

  /** Both sides, without secrets. */
  sides(): { readonly client: ClientSide; readonly upstream: UpstreamSide } {
    const { client } = this.received
    const sent = headersOf(client)
    const secrets = this.calls.flatMap(({ request }) => secretsIn(Object.entries(request.headers)))
    const masked = masking([...this.secrets, ...secretsIn(sent), ...secrets])
    return {
      client: {
        request: {
          method: 'POST',
          address: keptAddress(addressOf(this.received), masked),
          headers: keptHeaders(sent, masked),
          body: this.request.kept(masked),
        },
        reply: this.head_
          ? { ...this.replyOf(this.head_, this.reply, masked), gone: this.gone }
          : null,
      },
      upstream: {
        calls: this.calls.map(({ state, request, body, reply, failed = '' }) => ({
          attempt: state.number,
          channel: state.channel.id,
          channel_name: state.channel.name,
          key_id: state.keyId,
          request: {
            method: request.method,
            address: keptAddress(request.url, masked),
            headers: keptHeaders(Object.entries(request.headers), masked),
            body: body.kept(masked),
          },
          reply: reply === undefined ? null : this.replyOf(reply, reply.body, masked),
          failed: masked(failed),
        })),
      },
    }
  }

  private replyOf({ status, headers }: Head, body: BodyParts, masked: (text: string) => string) {
    return { status, headers: keptHeaders(headers, masked), body: body.kept(masked) }
  }

  private replied(call: Call, reply: EgressReply): EgressReply {
    const { status, headers } = reply
    const body = this.parts(kindOf(headers['content-type']))
    const pairs = Object.entries(headers)
    call.reply = { status, headers: this.takes(sizeOf(pairs)) ? pairs : [], body }
    return { ...reply, body: this.watched(reply.body, body) }
  }

  private watched(source: ByteSource, body: BodyParts): ByteSource {
    return this.of.level === 'bodies' ? watchedSource(source, body) : source
  }

  private parts(kind: KeptBody['kind']): BodyParts {
    const isKept = this.of.level === 'bodies'
    return new BodyParts(isKept ? kind : 'binary', (bytes) => this.takes(bytes))
  }

  private takes(bytes: number): boolean {
    if (this.held + bytes > requestBytesMax || !this.room.take(bytes)) return false
    this.held += bytes
    return true
  }

  private addBody(body: Received['body']): void {
    if (body.kind === 'json') this.request.add(bytesOf(body))
    if (body.kind !== 'form') return
    for (const file of body.files) this.request.add(file.bytes)
  }
}

const unrecorded: RecordedCall = { replied: (reply) => reply, failed() {} }

/**
 * A format is one wire format in both directions. It is pure: it knows no vendor, no channel, no clock and no
 * network, and calling it twice with the same input gives the same output. Each is
 * written once per direction and meets the others in the canonical call and events.
 */

import type { Call } from './call.js'
import type { Event, Usage } from './event.js'
import type { Failure } from './failure.js'
import type { Json, JsonObject } from './json.js'
import type { FormatName } from './names.js'

/** A synchronous push transform. `push` may return nothing yet; `flush` returns what the end of input releases. */
export interface Transform<In, Out> {
  push(input: In): Out[]
  flush(): Out[]
}

/** The error as the gateway knows it, before a format dresses it for the client. All strings, absent = "" (ERR-1). */
export interface ClientError {
  readonly status: number
  readonly message: string
  readonly type: string
  readonly param: string
  readonly code: string
  /** What has to be verified before this is done, on management paths. Absent: nothing. */
  readonly scope?: string
  /** Sent beside the body; a format never reads them. Absent: none. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * What the address of a request states and its body does not: generative clients put model, verb and the shape of the
 * stream into the path and the query.
 */
export interface RequestHints {
  readonly model: string
  readonly stream: boolean
  /** Absent: server-sent events. `array`: the stream is one JSON array, written element by element. */
  readonly framing?: 'array'
}

/** Whom a stream is written for. */
export interface Reader {
  readonly model: string
  /** Makes ids unique where an upstream gives none. Absent: they follow from the answer alone. */
  readonly requestId?: string
  readonly wantsUsage: boolean
  readonly hints?: RequestHints
  /**
   * The request, for a format whose answers spell some things as its request did (names of tools, say). Absent: the
   * answer is written as it comes.
   */
  readonly call?: () => Call
  /** Of the request that is answered. Absent: not known, so one answer is expected. */
  readonly limits?: Limits
}

/** What the line has to know of a request before it is planned. */
export interface RequestedOptions {
  /** The model the client named. */
  readonly model: string
  readonly stream: boolean
  /** The client wants usage in its stream; true where the format always carries it. */
  readonly wantsUsage: boolean
}

/** What billing reads from a request on its way out. Counts are of the outgoing call (ledger/README.md section 5). */
export interface Limits {
  /** Output limit in tokens, by the format's precedence (FMT-6). Absent: none set. */
  readonly maxOutput?: number
  /** Alternative answers requested. Absent: one. */
  readonly choices?: number
  /** Some upstreams of this format count what is thought beyond that limit. Absent: all count it within. */
  readonly reasoningApart?: boolean
}

/** What a whole (not streamed) reply body reports, read without building events. */
export interface ReplyReading {
  /** Counts as reported; absent: the body carried none. */
  readonly usage?: Usage
  /** The upstream's usage object as it stood. */
  readonly raw?: JsonObject
  /** Estimated output tokens of the delivered text, by character class. */
  readonly estimatedTokens: number
  /** Set when a 200 body is an error in truth (M14). */
  readonly failure?: Failure
}

/**
 * Watches a stream that passes to a client of the same format. Frames are parsed until the first content, then only
 * those that hold one of the format's needles; delivered text is counted by a byte scan and never kept.
 */
export interface StreamWatch {
  /**
   * Takes the next bytes and returns those to forward now: the same buffer where nothing is withheld, an empty one
   * where a frame is incomplete. Withheld for good: the usage chunk the client did not ask for, an upstream error frame.
   */
  push(chunk: Buffer): Buffer
  /** The upstream closed; returns what was still held back, complete frames only. */
  flush(): Buffer
  /** The first content event was seen. */
  readonly started: boolean
  /** The format's terminator was seen; without it the stream broke (S5). */
  readonly ended: boolean
  readonly failure: Failure | undefined
  readonly usage: Usage | undefined
  readonly raw: JsonObject | undefined
  /** Running estimate of delivered output tokens. */
  readonly estimatedTokens: number
}

/** Finds a part of an earlier answer that a request names by its id. Undefined: it is not known here. */
export type Recall = (id: string) => JsonObject | undefined

/** For formats whose requests may name parts of earlier answers instead of repeating them. */
export interface References {
  /** The client lets the answer to this request be kept. */
  wanted(body: JsonObject): boolean
  /** What a later request may name: id and value of each part of a whole answer in this format. */
  parts(answer: JsonObject): readonly (readonly [id: string, part: JsonObject])[]
  /** Ids of the parts that a request names. Absent: each is looked for in this process alone. */
  named?(body: JsonObject): readonly string[]
}

/** Writes a stream, and knows the whole answer at its end where a later request may refer to it. */
export interface StreamEncoder extends Transform<Event, Buffer> {
  readonly answer?: JsonObject
}

/** The system prompt of a channel. */
export interface SystemPrompt {
  readonly text: string
  /** Stands before a system prompt of the request too; else gives way to it. */
  readonly always: boolean
}

export interface Format {
  readonly name: FormatName
  /** Where a request names its model: in its JSON as `model`, or in the address the provider makes. */
  readonly modelIn: 'body' | 'address'
  /**
   * The parts of an answer whose seals have a place in what the vendor documents; others ride in a member of this
   * gateway's own, where the channel lets them.
   */
  readonly sealed: 'all' | 'reasoning' | 'none'
  /** What this format takes as the name of a tool; others go out under another name and come back under their own. */
  readonly toolName: RegExp

  /** Checks a client's body field by field; throws a `Refusal` that names the field (FMT-1, FMT-4). */
  check(body: JsonObject, hints?: RequestHints): RequestedOptions
  /** The request in canonical form. Called lazily; verbatim requests never need it. */
  decodeRequest(body: JsonObject, hints?: RequestHints, recall?: Recall): Call
  /** Fields a call lacks stay out; the model is `call.model`, left out where `modelIn` is the address. */
  encodeRequest(call: Call): JsonObject
  /** What this format cannot express of the call: `refuse` changes the meaning, `report` is cosmetic. Field names of the canonical call. */
  unsupportedFields(call: Call): {
    readonly refuse: readonly string[]
    readonly report: readonly string[]
  }

  /**
   * The outgoing JSON with the channel's system prompt: put in where the request has none, before the request's own where
   * `always` is set. The same object where nothing changes.
   */
  withSystemPrompt(wire: JsonObject, prompt: SystemPrompt): JsonObject
  /** What billing reads from the outgoing JSON. */
  limits(wire: JsonObject): Limits
  /** Prompt tokens of the outgoing JSON, estimated by character class; media by fixed figures. */
  estimate(wire: JsonObject): Usage
  /**
   * The same JSON with usage requested in the stream where the client left that open; the same object
   * where nothing needs to change.
   */
  requestUsage(wire: JsonObject): JsonObject

  /** One body as the events its stream would have been, `end` included. */
  decodeReply(body: JsonObject): Event[]
  /** Folds events to one body; `encodeReply(stream) = encodeReply(body)`. */
  encodeReply(events: readonly Event[], reader: Pick<Reader, 'model' | 'requestId' | 'call'>): Json
  /** Usage and failure of a body that passes verbatim. */
  readReply(body: JsonObject): ReplyReading
  /** `requestLimits`: of the request that is answered; absent: not known, so one answer is expected. */
  decodeStream(requestLimits?: Limits): Transform<Buffer, Event>
  encodeStream(reader: Reader): StreamEncoder
  /** The reader's framing may differ from the upstream's, which is always server-sent events. */
  watch(reader: Omit<Reader, 'model'>): StreamWatch
  /** Content type of a stream for this reader. Absent: `text/event-stream`. */
  streamType?(hints: RequestHints | undefined): string

  /** Absent: requests of this format repeat what they mean. */
  readonly references?: References

  /** Status and body of an error in this format's frame (ERR-1). */
  encodeError(error: ClientError): { readonly status: number; readonly body: JsonObject }
  /**
   * An error in the middle of a stream, as this format's clients expect to read it, and whatever then closes the stream.
   * `begun`: the reader has some of the stream, which may end inside an event; what is written begins behind a blank line.
   */
  encodeStreamError(
    error: ClientError,
    at?: { readonly hints?: RequestHints; readonly begun: boolean },
  ): Buffer
}

/**
 * Bounds on incoming connections and requests that no option changes. What is bounded in the content of a request stands
 * in `toolkit/limits`; variables bound the size of a body and connections of one client (config/README.md).
 */

/** Milliseconds a body may take to arrive, beside the least speed that `toolkit/limits` demands of a large one. */
const bodyMs = 120_000

export const httpLimits = {
  bodyMs,
  /** Milliseconds from the first byte of a request to the end of its headers (S14). */
  headersMs: 30_000,
  /** Milliseconds of a whole request: a little more than its body, whose refusal has the format of the path. */
  requestMs: bodyMs + 30_000,
  /** Milliseconds between two looks for connections that exceed the two bounds above. */
  connectionsCheckMs: 10_000,
  /** Milliseconds a connection stays open without a request: above what usual load balancers allow, so that they close first. */
  keepAliveMs: 72_000,
  /** Bytes of all headers of one request together, and how many headers are read (S14). */
  headerBytesMax: 32 * 1024,
  headersMax: 200,
  /** Bytes from which on a form is kept on disk while it arrives (decision 0082). */
  spooledBytesMin: 8 * 1024 * 1024,
  /** Bytes of it that are in memory meanwhile: what is being written, what waits for that, what the socket has at hand. */
  spoolFlightBytes: 512 * 1024,
  /** The first two of them, beyond which nothing more is read from the network. */
  spoolPauseBytes: 320 * 1024,
  /** Bytes that are waited for before they are written, unless the body ends. */
  spoolWriteBytes: 128 * 1024,
  /** Bytes read from disk at once. */
  spoolReadBytes: 4 * 1024 * 1024,
  /** Operations of the file system at once: of four threads that name lookups run on, too. */
  spoolOperationsMax: 2,
  /** Milliseconds of one operation from which on new uploads are not kept on disk. */
  spoolStallMs: 5_000,
  /** Milliseconds between two reports that something is wrong with it. */
  spoolReportMs: 60_000,
  /** Milliseconds a form that is there waits for room in memory, within those of a body. */
  roomWaitMs: 30_000,
  /** Milliseconds of a TLS handshake: a client that never completes it is not seen by the bounds on requests. */
  handshakeMs: 10_000,
  /** Addresses of `X-Forwarded-For` that are read, from the right: no honest chain of proxies is longer. */
  hopsMax: 32,
  /** Bytes a client may send before its WebSocket is open; it has nothing to send until then. */
  earlyBytesMax: 64 * 1024,
  /** Bytes of one WebSocket message, and the fragments it may come in (S16). */
  messageBytesMax: 16 * 1024 * 1024,
  messageFragmentsMax: 4096,
  /** Milliseconds between two pings: below what usual load balancers allow an idle connection. */
  pingMs: 20_000,
  /** Pings of ours without any sign of life in between, after which the connection counts as broken. */
  silentPingsMax: 3,
  /** Pings of the other side between two of ours; more are a flood. */
  pingsMax: 200,
  /** Milliseconds the other side may take to confirm that a WebSocket closes. */
  closeMs: 5_000,
  /** Milliseconds relays may take to settle after a stop has aborted them, before their connections are cut. */
  settleMs: 5_000,
  /** Bytes of a piece of a chunked response that is copied behind its size; above it a copy costs more than three writes. */
  copyBytesMax: 16 * 1024,
  /** Characters of what the audit log names of a body, and of a sentence that refuses a field. */
  objectCharactersMax: 128,
  messageCharactersMax: 500,
  /** Milliseconds between two looks at the certificate's files, beside the notice of the file system. */
  certificateLookMs: 3_600_000,
  /** Milliseconds after a change of one of the two files: both are written one after the other. */
  certificateChangeMs: 500,
  /** Milliseconds a certificate has left when the log begins to warn, and between two warnings. */
  certificateWarnMs: 14 * 24 * 3_600_000,
  certificateWarnEveryMs: 24 * 3_600_000,
} as const

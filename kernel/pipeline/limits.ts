/**
 * Bounds on requests under way that no option changes. Bounds on what a request or an answer may hold stand in
 * `toolkit/limits`, those of connections in `kernel/http/limits.ts`.
 */

export const pipelineLimits = {
  /** Bytes of answers kept by id for requests that refer to them, of one item of such an answer, and milliseconds they are kept. */
  keptBytesMax: 64 * 1024 * 1024,
  keptPartBytesMax: 1024 * 1024,
  keptMs: 60 * 60 * 1000,
  /** How many times the tokens counted here an upstream may report: tokenizers differ on rare scripts. */
  reportedTokensTimes: 4,
  /** Tokens that open and close an answer, which some upstreams count beyond the output limit. */
  framingTokens: 64,
  /** Turns an upstream takes by itself with the tools it runs; each writes and reads anew. */
  toolTurnsMax: 64,
  /** Milliseconds between two attempts to raise a hold while the database does not answer. */
  extensionPauseMinMs: 100,
  extensionPauseMaxMs: 2_000,
  /** Output tokens one extension of a hold pays for. */
  extensionTokens: 1024,
  /** Output tokens of a session between two looks at its cost; the nearer the end of the hold, the fewer. */
  sessionCheckTokens: 64,
  /** Bytes of an answer to a probe that are kept for the report, and milliseconds after which it has read enough. */
  probeHeadBytesMax: 256 * 1024,
  probeMs: 60_000,
} as const

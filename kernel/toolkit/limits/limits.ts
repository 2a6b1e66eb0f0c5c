/**
 * Bounds the kernel itself holds, in one place. Each names its unit; a rule or failure row stands beside it.
 */
export const limits = {
  /** Nesting of a JSON request body (S15, X6). */
  jsonDepthMax: 64,
  /** Request JSON so small that what is built of it cannot weigh more than `uncountedBytesMax` (decision 0065). */
  unweighedJsonBytesMax: 2048,
  /** JSON up to here is read at once; a larger one in pieces of this size, with a turn for others in between. */
  jsonAtOnceBytesMax: 256 * 1024,
  /** Values of a JSON request body in all: objects, arrays, texts, numbers and words (decision 0050). */
  jsonValuesMax: 1_000_000,
  /** Objects and arrays among them, and members of all objects together: each costs more than a hundred numbers. */
  jsonContainersMax: 100_000,
  jsonMembersMax: 200_000,
  /** Members of one object. */
  jsonObjectMembersMax: 20_000,
  /** Characters of one number, and of one key. */
  jsonNumberCharsMax: 1024,
  jsonKeyCharsMax: 4096,
  /** The same of a whole upstream reply: lists of vectors are long, and so are probabilities of every token. */
  replyJsonValuesMax: 16_000_000,
  replyJsonContainersMax: 2_000_000,
  replyJsonMembersMax: 4_000_000,
  /** Text of all fields of a form, files aside; and a whole URL-encoded form, which is dear to decode (decision 0065). */
  formTextBytesMax: 4 * 1024 * 1024,
  urlencodedBytesMax: 256 * 1024,
  /** Raw read of an upstream error body (ERR-2). */
  errorBodyBytesMax: 1024 * 1024,
  /** Calls that one request may be sent in, where an upstream takes less at once, and how many of them run side by side. */
  splitCallsMax: 256,
  splitCallsAtOnce: 4,
  /** Calls that may go before the one of an operation, e.g. uploads of files, and how many of them run side by side. */
  prepareCallsMax: 64,
  prepareCallsAtOnce: 4,
  /** Files that an answer names by address, where the client requested their bytes. */
  addressedMediaMax: 128,
  /** A whole upstream reply that is not a stream. */
  replyBytesMax: 128 * 1024 * 1024,
  /** So much of a reply is held without being counted among the bytes of the process (decision 0060). */
  uncountedBytesMax: 64 * 1024,
  /** One event of an upstream stream (S4), where it passes in pieces as it comes. */
  eventBytesMax: 32 * 1024 * 1024,
  /** One event that has to be read whole; a text of that size takes some 30 ms to read and to write (decision 0065). */
  wholeEventBytesMax: 8 * 1024 * 1024,
  /** Values, objects and arrays, members of all objects together, of what is parsed in one go (decision 0065). */
  eventJsonValuesMax: 300_000,
  eventJsonContainersMax: 40_000,
  eventJsonMembersMax: 40_000,
  /** Blanks, comments and empty events of an upstream in a row. */
  blankBytesMax: 1024 * 1024,
  /** An incomplete frame a watch holds back before it passes it on in pieces. */
  frameHoldBytesMax: 64 * 1024,
  /** Stream bytes read before the first content event (M14); an image may come as one event. */
  preambleBytesMax: 32 * 1024 * 1024,
  /** Bytes waiting for a slow client before the upstream is paused (S7). */
  sinkBufferBytesMax: 256 * 1024,
  /** Connections of one address that is no trusted proxy (S14). */
  connectionsPerAddressMax: 2048,
  /** A body nobody wants, up to which it is read away so that its connection can go on. */
  unreadBytesMax: 64 * 1024,
  /** How long a connection stays half closed behind an answer that came before the whole request. */
  lingerMs: 2_000,
  /** Largest body of a route that requires no credential. */
  strangerBodyBytesMax: 1024 * 1024,
  /** A body above this has to come quickly: how long it may take to begin, how often its speed is looked at then, the least. */
  hurriedBytesMin: 64 * 1024,
  bodyGraceMs: 10_000,
  bodyRateMs: 5_000,
  bodyBytesPerSecondMin: 1024,
  /** How long a client may take nothing at all while bytes wait (S7). */
  writeStallMs: 60_000,
  /** Reading on after the client left (M11). */
  drainMs: 15_000,
  drainBytesMax: 8 * 1024 * 1024,
  drainsMax: 64,
  /** Connecting to an upstream. */
  connectMs: 10_000,
  /** Response headers of an upstream, where RELAY_TIMEOUT sets no limit of its own. */
  headersMs: 300_000,
  /** A count of tokens, after which the client is given an estimate. */
  countMs: 10_000,
  /** First bytes of an answer that is no event stream but comes in pieces. */
  firstEventMs: 120_000,
  /** Channel attempts of one request, over all groups (S18). */
  attemptsMax: 8,
  /** Retries that may be under way at once, however few requests are (S18). */
  retriesAtOnceMin: 32,
  /** The same as a share of the requests under way, percent. */
  retriesAtOncePercent: 20,
  /** How long an answer that has used up its hold waits for a database that is away (decision 0035). */
  coverWaitMs: 30_000,
  /** Token counts above this are absurd (M21). */
  tokensMax: 100_000_000,
  /** What is charged at most for one answer that was given no limit (decision 0036). */
  outputTokensMax: 524_288,
  /** The same for a prompt whose size the body does not show, for each turn of the upstream. */
  inputTokensMax: 2_097_152,
  /** What an upstream may put before a prompt that stands in the body: templates, tools, prompts of its own. */
  addedInputTokensMax: 65_536,
  /** Calls of one tool that the upstream ran, in one answer. */
  serverToolCallsMax: 1_000,
  /** Pieces paid by the piece, times their factor of size and quality. */
  piecesMax: 10_000,
  /** Graceful stop: how long running relays may take. */
  shutdownMs: 20_000,
} as const

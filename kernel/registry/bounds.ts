/**
 * How much of what plugins return is taken, where it is kept or sent. Larger values are faults of the plugin, not cut: half
 * of a header or of an answer means something else.
 */
export const bounds = {
  /** Characters of an address, its query included. */
  urlMax: 32 * 1024,
  /** Headers of one call, and characters of all their names and values. */
  headersMax: 128,
  headerCharactersMax: 64 * 1024,
  /** Characters of a sentence: the words of a failure, a reason, a title. */
  sentenceMax: 16 * 1024,
  /** Characters of a name: a field, a model, a reference of a payment or a task. */
  nameMax: 1024,
  /** Names in a list of fields. */
  namesMax: 10_000,
  /** Models in one page of an upstream's list. */
  modelsMax: 20_000,
  /** Pieces, and events, that one call of a reader releases. */
  eventsMax: 1_000_000,
  /** Characters of instructions, of a code to be scanned, and fields of a form that is posted. */
  instructionsMax: 64 * 1024,
  codeMax: 8 * 1024,
  formFieldsMax: 200,
  /** Parts of a request that is sent in several calls. */
  partsMax: 100_000,
  /** Characters of what is sent back for a callback. */
  replyMax: 64 * 1024,
  /** Claims of an identity, as text. */
  claimsMax: 256 * 1024,
} as const

/** The keys of a chunk that matter to its scan. */
import { keyFinder } from '../../../kernel/toolkit/format/index.js'

const names = [
  'args',
  'code',
  'text',
  'error',
  'index',
  'parts',
  'candidates',
  'finishReason',
  'functionCall',
  'usageMetadata',
  'executableCode',
  'promptFeedback',
  'thoughtSignature',
  'webSearchQueries',
] as const

/** The keys that matter; every other one is ''. */
export type Key = (typeof names)[number] | ''

export const keyAt = keyFinder(names)

/** Errors in the envelope clients of Suno read: a word in place of `success`, and a sentence. */
import type { Format } from '../../../kernel/contract/format.js'
import { errorObject, errorWords } from '../../../kernel/toolkit/task/index.js'

export default function create(): Format {
  return errorWords('suno', (error) => ({
    status: error.status,
    body: { code: error.code, message: error.message, data: null, error: errorObject(error) },
  }))
}

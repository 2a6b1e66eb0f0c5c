/** English text out of a recording (SVC-3). */
import type { Operation } from '../../../kernel/contract/operation.js'
import { transcriptOperation } from '../../../kernel/toolkit/operation/index.js'

export default function create(): Operation {
  return transcriptOperation('translations')
}

/** Text out of a recording, in its own language (SVC-3). */
import type { Operation } from '../../../kernel/contract/operation.js'
import { transcriptOperation } from '../../../kernel/toolkit/operation/index.js'

export default function create(): Operation {
  return transcriptOperation('transcriptions')
}

/** Pictures out of pictures and a prompt, as a form or, with addresses or base64 in it, as JSON (SVC-3, FMT-11). */
import type { Operation } from '../../../kernel/contract/operation.js'
import { imageOperation } from '../../../kernel/toolkit/operation/index.js'
import { checkPictures, inputTokens } from './pictures-sent.js'

export default function create(): Operation {
  return imageOperation({ name: 'edits', check: checkPictures, inputImage: inputTokens })
}

/** Pictures out of a prompt (SVC-3). What they come to stands in the README beside this file. */
import type { Operation } from '../../../kernel/contract/operation.js'
import {
  imageOperation,
  invalidField,
  isSomeText,
} from '../../../kernel/toolkit/operation/index.js'

export default function create(): Operation {
  return imageOperation({
    name: 'images',
    fallback: 'dall-e',
    check(_, { prompt = null }) {
      const complaint = isSomeText(prompt)
      if (complaint !== undefined) throw invalidField('prompt', complaint)
    },
    inputImage: () => 0,
  })
}

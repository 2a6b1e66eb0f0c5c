/** Pictures out of a prompt (SVC-3). What they come to stands in the README beside this file. */
import type { Operation } from '../../../kernel/contract/operation.js'
import { invalidField } from '../../../kernel/wire/checks.js'
import { isSomeText } from '../../../kernel/wire/media/fields.js'
import { imageOperation } from '../../../kernel/wire/media/image-operation.js'

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

/** Midjourney tasks, in the form clients of its proxy know (SVC-3). The model is `mj_` and the action, or `swap_face`. */
import type { Operation } from '../../../kernel/contract/operation.js'
import {
  checkFields,
  isText,
  jsonOf,
  requiredModel,
} from '../../../kernel/toolkit/operation/index.js'
import { taskOperation } from '../../../kernel/toolkit/task/index.js'

export default function create(): Operation {
  return taskOperation({
    name: 'midjourney',
    check(body) {
      const fields = jsonOf(body)
      checkFields(fields, { action: isText, prompt: isText, mode: isText })
      return requiredModel(fields.model)
    },
  })
}

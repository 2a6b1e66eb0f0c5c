/** Music and lyrics tasks, in the form clients of Suno know (SVC-3). The model is `suno_` and the action. */
import type { Operation } from '../../../kernel/contract/operation.js'
import {
  checkFields,
  isBoolean,
  isText,
  jsonOf,
  requiredModel,
} from '../../../kernel/toolkit/operation/index.js'
import { taskOperation } from '../../../kernel/toolkit/task/index.js'

const rules = {
  action: isText,
  prompt: isText,
  gpt_description_prompt: isText,
  mv: isText,
  title: isText,
  tags: isText,
  negative_tags: isText,
  make_instrumental: isBoolean,
  task_id: isText,
  continue_clip_id: isText,
} as const

export default function create(): Operation {
  return taskOperation({
    name: 'music',
    check(body) {
      const fields = jsonOf(body)
      checkFields(fields, rules)
      return requiredModel(fields.model)
    },
  })
}

/** Video tasks (SVC-3): their one form stands in the README beside this file. */
import type { Operation } from '../../../kernel/contract/operation.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { checkVideo, taskOperation } from '../../../kernel/toolkit/task/index.js'

export default function create(): Operation {
  return taskOperation({ name: 'video', check: (body) => checkVideo(jsonOf(body)) })
}

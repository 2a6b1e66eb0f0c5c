/**
 * The canonical call as a run of a workflow (https://docs.coze.cn/developer_guides/workflow_stream_run). It takes parameters and no
 * conversation: earlier turns are written into the question, each under the name of its speaker.
 */
import type { Call, Part, Turn } from '../../kernel/contract/call.js'
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { ChannelView } from '../../kernel/contract/provider.js'
import { notExpressible } from '../../kernel/toolkit/errors/index.js'
import { agentQuestion } from '../../kernel/toolkit/provider/index.js'
import { contentOf } from './content.js'
import { type WorkflowSettings, workflowIn, workflowSettings } from './workflow-settings.js'

export function encodeWorkflow(
  { model, turns, user, only }: Call,
  { settings }: ChannelView,
): JsonObject {
  const given = only?.chat?.parameters
  const known = workflowSettings(settings)
  const { question, app, bot } = known
  return {
    workflow_id: workflowIn(model),
    parameters: {
      ...(isObject(given) && given),
      [question]: agentQuestion(turns),
      ...filesIn(turns, known),
    },
    ...(user && { ext: { user_id: user } }),
    // The service takes one of them at most.
    ...(app === undefined ? bot !== undefined && { bot_id: bot } : { app_id: app }),
  }
}

/** Throws `not_expressible` where the workflow has no parameter for them. */
function filesIn(turns: readonly Turn[], { file, takesOne }: WorkflowSettings): JsonObject {
  const files = turns.flatMap(({ parts }) => parts.flatMap(fileOf))
  if (files.length === 0) return {}
  if (file === undefined || (takesOne && files.length > 1)) throw notExpressible('media')
  return { [file]: takesOne ? files[0]! : files }
}

/** An address, or what is uploaded before the call. */
function fileOf(part: Part): Json[] {
  return contentOf(part).flatMap((content): Json[] => {
    if (content.type === 'text') return []
    return ['file_url' in content ? content.file_url : { upload: content.upload }]
  })
}

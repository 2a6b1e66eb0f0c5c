/**
 * The canonical call as a run of a workflow (https://docs.coze.cn/developer_guides/workflow_stream_run). It takes parameters and no
 * conversation: earlier turns are written into the question, each under the name of its speaker.
 */
import type { Call, Part, Turn } from '../../kernel/contract/call.js'
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { ChannelView } from '../../kernel/contract/provider.js'
import { notExpressible } from '../../kernel/toolkit/errors/index.js'
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
      [question]: questionOf(turns),
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

const speakers: Readonly<Record<Turn['role'], string>> = {
  system: 'System',
  developer: 'System',
  user: 'User',
  assistant: 'Assistant',
  tool: 'User',
}

/** A question that stands alone is sent as it is. */
function questionOf(turns: readonly Turn[]): string {
  const given = turns
    .map(({ role, parts }) => ({ role, text: parts.map(textOf).filter(Boolean).join('\n') }))
    .filter(({ text }) => text !== '')
  const [first, ...more] = given
  if (first?.role === 'user' && more.length === 0) return first.text
  return given.map(({ role, text }) => `${speakers[role]}: ${text}`).join('\n\n')
}

function textOf(part: Part): string {
  return part.kind === 'text' || part.kind === 'refusal' ? part.text : ''
}

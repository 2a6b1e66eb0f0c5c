/**
 * A bot built with Coze, called as if it were a model (https://docs.coze.cn/developer_guides/chat_v3), or a workflow
 * (https://docs.coze.cn/developer_guides/workflow_stream_run).
 */
import type { Call } from '../../kernel/contract/call.js'
import type { Provider } from '../../kernel/contract/provider.js'
import { agentAdapter } from '../../kernel/toolkit/provider/index.js'
import { BotDecoder } from './decode.js'
import { WorkflowDecoder } from './decode-workflow.js'
import { encode } from './encode.js'
import { encodeWorkflow } from './encode-workflow.js'
import { fail } from './fail.js'
import { readAnswer } from './read.js'
import { prepare } from './uploads.js'
import { isWorkflow, outputNamed } from './workflow-settings.js'
import { prepareWorkflow } from './workflow-uploads.js'

export default function create(): Provider {
  return { operations: { chat: [bot, workflow] } }
}

const expresses = ['system', 'image', 'file', 'audio', 'user'] as const

/** Both have instructions of their own, so those of a client are said by the user. */
const changed = ({ turns }: Call) =>
  turns.some(({ role }) => role === 'system' || role === 'developer') ? ['turns.system'] : []

const bot = agentAdapter({
  path: '/v3/chat',
  serves: (_channel, model) => !isWorkflow(model),
  ownFields: ['custom_variables'],
  encode,
  prepare,
  read: () => readAnswer(new BotDecoder(), 'done'),
  ...{ expresses, changed, fail },
})

const workflow = agentAdapter({
  path: '/v1/workflow/stream_run',
  serves: (_channel, model) => isWorkflow(model),
  ownFields: ['parameters'],
  encode: encodeWorkflow,
  prepare: prepareWorkflow,
  read: (channel) => readAnswer(new WorkflowDecoder(outputNamed(channel?.settings)), 'Done'),
  ...{ expresses, changed, fail },
})

/**
 * An app built with Dify, called as if it were a model: a chat (https://docs.dify.ai/en/api-reference/chat-messages/send-chat-message),
 * a workflow or a text generator, as its channel states.
 */
import type { Provider } from '../../kernel/contract/provider.js'
import { agentAdapter } from '../../kernel/toolkit/provider/index.js'
import { AppDecoder } from './decode.js'
import { WorkflowDecoder } from './decode-workflow.js'
import { encodeChat, encodeInputs } from './encode.js'
import { fail } from './fail.js'
import { readApp } from './read.js'
import { outputNamed, servesApp } from './settings.js'
import { prepare } from './uploads.js'

export default function create(): Provider {
  return { operations: { chat: [chat, workflow, completion] } }
}

const expresses = ['system', 'image', 'audio', 'video', 'file', 'user'] as const

const chat = agentAdapter({
  path: '/v1/chat-messages',
  serves: servesApp('chat'),
  ownFields: ['inputs', 'conversation_id'],
  encode: encodeChat,
  read: () => readApp(new AppDecoder()),
  ...{ expresses, prepare, fail },
})

const workflow = agentAdapter({
  path: '/v1/workflows/run',
  serves: servesApp('workflow'),
  ownFields: ['inputs'],
  encode: encodeInputs,
  read: (channel) => readApp(new WorkflowDecoder(outputNamed(channel?.settings))),
  ...{ expresses, prepare, fail },
})

const completion = agentAdapter({
  path: '/v1/completion-messages',
  serves: servesApp('completion'),
  ownFields: ['inputs'],
  encode: encodeInputs,
  read: () => readApp(new AppDecoder()),
  ...{ expresses, prepare, fail },
})

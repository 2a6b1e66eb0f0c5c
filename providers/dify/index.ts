/**
 * An app built with Dify, called as if it were a model
 * (https://docs.dify.ai/api-reference/chat/send-chat-message).
 */
import type { Provider } from '../../kernel/contract/provider.js'
import { agentAdapter } from '../../kernel/toolkit/provider/index.js'
import { encode } from './encode.js'
import { fail } from './fail.js'
import { readApp } from './read.js'

export default function create(): Provider {
  return { operations: { chat } }
}

const chat = agentAdapter({
  path: '/v1/chat-messages',
  expresses: ['system', 'image', 'audio', 'video', 'file', 'user'],
  ownFields: ['inputs', 'conversation_id'],
  encode,
  read: readApp,
  fail,
})

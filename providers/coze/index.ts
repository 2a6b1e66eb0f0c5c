/** A bot built with Coze, called as if it were a model (https://docs.coze.cn/developer_guides/chat_v3). */
import type { Provider } from '../../kernel/contract/provider.js'
import { agentAdapter } from '../../kernel/toolkit/provider/index.js'
import { encode } from './encode.js'
import { fail } from './fail.js'
import { readBot } from './read.js'
import { prepare } from './uploads.js'

export default function create(): Provider {
  return { operations: { chat } }
}

const chat = agentAdapter({
  path: '/v3/chat',
  expresses: ['system', 'image', 'file', 'audio', 'user'],
  ownFields: ['custom_variables'],
  // A bot has instructions of its own, so those of a client become messages of the user.
  changed: ({ turns }) =>
    turns.some(({ role }) => role === 'system' || role === 'developer') ? ['turns.system'] : [],
  encode,
  prepare,
  read: readBot,
  fail,
})

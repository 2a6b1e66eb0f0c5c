/**
 * Threads: a service that keeps the conversation, so that a request brings only what is new. One account of one upstream
 * keeps it, and the next turn may go to another, so none is begun here; the maker's clients then send all of it again.
 */
import type { JsonObject } from '../../../kernel/contract/json.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'

export function requireWholeConversation({ thread }: JsonObject): void {
  if (thread === undefined || thread === null) return
  throw new Refusal('invalid_request', {
    param: 'thread',
    reason: 'thread is not supported here: send the whole conversation in messages, without it.',
  })
}

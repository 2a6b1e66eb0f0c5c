/**
 * A code assistant's own service, by the account someone signed in with: the responses format, conversations made
 * shorter, and web searches on their own. It serves nothing else.
 */
import type { FormatAdapter, Provider, SameFormAdapter } from '../../kernel/contract/provider.js'
import { adjustRequest, refused } from './adjust.js'
import { authorize } from './authorize.js'
import { callTo } from './call.js'
import { forwards } from './client.js'
import { fail } from './fail.js'
import { models } from './models.js'

export default function create(): Provider {
  return { operations: { chat, compact, search }, authorize, models }
}

/** It always streams; who wants one body gets the stream folded. */
const chat: FormatAdapter = {
  format: 'responses',
  forwards,
  knowsDeveloper: () => true,
  refuses: (wire) => refused(wire),
  adjust: adjustRequest,
  address: callTo('responses', 'text/event-stream'),
  fail,
}

const compact: SameFormAdapter = {
  format: 'same',
  forwards,
  address: callTo('responses/compact', 'application/json'),
  fail,
}

/** The body goes out as it came (FMT-12). */
const search: SameFormAdapter = {
  format: 'same',
  forwards,
  address: callTo('alpha/search', 'application/json'),
  fail,
}

/** How chat must be written on this service. */
import type { ChatFacts } from '../../kernel/toolkit/vendors/index.js'

export const facts: ChatFacts = {
  plainContent: {
    source:
      "github.com/TencentCloud/TencentDB-Agent-Memory/issues/1313, github.com/opencodeschool/opencode.school/issues/174 ('array' not in 'string'), github.com/we-promise/sure/pull/467 (null)",
    read: '2026-11-27',
  },
}

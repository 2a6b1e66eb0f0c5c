/** Which way an answer is opened: by the request, and by what came. */

import type { Reserved } from '../../../kernel/contract/line/record.js'
import type { Reply } from '../../../kernel/contract/line/reply.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import type { Cancel, EgressReply } from '../../../kernel/contract/services/egress.js'
import { openBody } from './body.js'
import { openOperation } from './operation.js'
import { openStream } from './stream.js'
import { openTask } from './task.js'

export function openReply(
  state: Reserved,
  reply: EgressReply,
  kit: Pick<Kit<'tasks' | 'egress'>, 'clock' | 'services'> & { readonly cancel: Cancel },
): Promise<Reply> {
  const type = (reply.headers['content-type'] ?? '').toLowerCase()
  if (state.work?.task === true) return openTask(state, reply, kit.services.tasks)
  if (state.work !== undefined) {
    const { clock, cancel, services } = kit
    const { egress } = services
    return openOperation(state, reply, { work: state.work, type, clock, cancel, egress })
  }
  return isStream(state, type) ? openStream(state, reply) : openBody(state, reply)
}

function isStream({ adapter }: Reserved, type: string): boolean {
  if (type.startsWith('text/event-stream')) return true
  return adapter.streamTypes?.some((streamed) => type.startsWith(streamed)) ?? false
}

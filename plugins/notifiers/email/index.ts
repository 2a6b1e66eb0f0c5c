/** Notices by mail, over a connection that egress made. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { OutgoingKit } from '../../../kernel/contract/kit.js'
import type { Notifier } from '../../../kernel/contract/notifier.js'
import { isAddress, senderOf } from './letter.js'

export default function create(kit: OutgoingKit): Notifier {
  const { settings } = kit
  return {
    async deliver(notice, target) {
      // Gateways that send no mail never load what it takes.
      const { post } = await import('./post.js')
      return post(notice, String(target.notification_email ?? ''), kit)
    },
    faultOf,
    ready: () => settings.string('server') !== '' && senderOf(settings) !== undefined,
  }
}

function faultOf({ notification_email }: JsonObject): string | undefined {
  const address = String(notification_email ?? '')
  if (address === '') return 'notification_email must be set, or the address of the account.'
  return isAddress(address) ? undefined : 'notification_email must be one e-mail address.'
}

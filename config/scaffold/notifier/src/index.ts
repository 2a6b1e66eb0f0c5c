/** Posts notices as JSON to rooms of Acme, at the address an admin set. */
import type { Notifier, OutgoingKit } from 'waybill/contract'
import { noticeText, outcomeOf, outcomeOfError } from 'waybill/toolkit/notifier'

const room = 'acme_room'

export default function create({ settings, fetch, clock }: OutgoingKit): Notifier {
  return {
    async deliver(notice, target) {
      const { id, title } = notice
      try {
        const response = await fetch(new URL('/messages', settings.string('address')), {
          method: 'POST',
          headers: {
            authorization: `Bearer ${settings.string('token').trim()}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify({ id, room: target[room], title, text: noticeText(notice) }),
          ...{ bytesMax: 4096, cut: true },
        })
        return outcomeOf(response, clock.now())
      } catch (error) {
        return outcomeOfError(error, 'address')
      }
    },
    faultOf: (target) =>
      /^[\w-]{1,64}$/.test(String(target[room] ?? '')) ? undefined : `${room} must name a room.`,
    ready: () => URL.canParse(settings.string('address')) && settings.string('token') !== '',
  }
}

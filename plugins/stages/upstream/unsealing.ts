/**
 * Seals that the client's format has no documented place for leave an answer. Those an upstream of the very same format
 * wrote stay, in the member where it put them.
 */
import type { At, Event } from '../../../kernel/contract/event.js'
import type { Format } from '../../../kernel/contract/format.js'

export function unsealing({ name, sealed }: Format): (events: Event[]) => Event[] {
  const reasoning = new Set<string>()
  const keeps = ({ at, sealBy }: Extract<Event, { type: 'delta' }>) =>
    sealBy === name || (sealed === 'reasoning' && reasoning.has(place(at)))
  return (events) =>
    events.flatMap((event) => {
      if (event.type === 'open' && event.part.kind === 'reasoning') reasoning.add(place(event.at))
      if (event.type !== 'delta' || event.seal === undefined || keeps(event)) return event
      const { seal: _, sealBy: __, ...rest } = event
      return Object.keys(rest).length > 2 ? rest : []
    })
}

function place({ choice, part }: At): string {
  return `${choice}:${part}`
}

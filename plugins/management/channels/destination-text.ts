/** A channel's destination in words. */
import type { Destination } from '../../services/channels/index.js'

const valueMax = 100

/** For the audit log. A query may hold a secret of its own and is left out. */
export function destinationText({ type, address, proxy, fields }: Destination): string {
  const named = Object.entries(fields).map(([name, value]) => `${name} ${value.slice(0, valueMax)}`)
  const parts = [`type ${type}`, address.split('?')[0]!, ...(proxy && [`proxy ${proxy}`]), ...named]
  return parts.join(', ')
}

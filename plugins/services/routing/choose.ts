/**
 * Weighted random choice inside one tier. A weight of 0 stands by: it is chosen only where no weighted candidate is
 * left, and then evenly.
 */
import type { Channel } from '../../../kernel/contract/exchange.js'

/** `draw` is a number in [0, 1); undefined when no channel may be taken. */
export function choose(
  channels: readonly Channel[],
  takes: (channel: Channel) => boolean,
  draw: number,
): Channel | undefined {
  const open = channels.filter(takes)
  if (open.length <= 1) return open[0]
  const total = open.reduce((sum, { weight }) => sum + weight, 0)
  if (total === 0) return open[Math.floor(draw * open.length)]
  let left = draw * total
  for (const channel of open) {
    left -= channel.weight
    if (left < 0 && channel.weight > 0) return channel
  }
  return open.findLast(({ weight }) => weight > 0)
}

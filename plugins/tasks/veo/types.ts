/** Which of the two services a channel is of. */
import type { ChannelView } from '../../../kernel/contract/provider.js'

const vertexType = 41

export function isVertex({ type }: Pick<ChannelView, 'type'>): boolean {
  return type === vertexType
}

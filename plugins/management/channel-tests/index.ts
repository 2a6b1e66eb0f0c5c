/** Tests of channels and queries to their upstreams: the area, with the queries it alone makes. */
import type { Life } from '../../../kernel/contract/kit.js'
import type { Management } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { channelTestArea } from './area.js'
import { createUpstreamQueries } from './upstream-queries/index.js'

type AreaKit = Kit<
  | 'database'
  | 'channels'
  | 'channel-tests'
  | 'health'
  | 'credentials'
  | 'egress'
  | 'providers'
  | 'catalog'
  | 'live'
  | 'peers'
>

export default function create(kit: AreaKit): Management & Life {
  return channelTestArea(kit, createUpstreamQueries(kit))
}

/** `GET /api/plugins`: what this gateway is made of. */

import type { Management } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { pluginOverview } from './responses.js'

export default function create({ services }: Kit<'catalog'>): Management {
  const { catalog } = services

  function list() {
    return {
      plugins: catalog.list(),
      line: catalog.line(),
      channel_types: catalog.channelTypes(),
    }
  }

  return { routes: { list: { response: pluginOverview, handle: list } } }
}

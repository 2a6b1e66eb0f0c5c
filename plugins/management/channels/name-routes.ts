/** Names of models as channels and prices know them, and the re-reading of what stands in memory. */
import type { ManagementRoute } from '../../../kernel/contract/management.js'
import type { Channels } from '../../services/channels/index.js'
import type { Pricing } from '../../services/pricing/index.js'
import * as responses from './responses.js'

interface NameServices {
  readonly channels: Channels
  readonly pricing: Pricing
}

export function nameRoutes({
  channels,
  pricing,
}: NameServices): Readonly<Record<string, ManagementRoute>> {
  /** As the family's clients read models: objects with an id. */
  function known() {
    const names = served(channels, () => true)
    for (const name of pricing.current().models()) names.add(name)
    return sorted(names).map((id) => ({ id, object: 'model' }))
  }

  function enabled() {
    return sorted(served(channels, (channel) => channel.enabled))
  }

  /** Nothing is kept beside the channels that could be wrong; memory is read again, and what cannot be read is reported. */
  async function fix() {
    const rows = await channels.edits.readAgain()
    const success = channels.all().length
    return { success, fails: Math.max(rows - success, 0) }
  }

  return {
    models: { response: responses.knownModels, handle: known },
    enabledModels: { response: responses.enabledModels, handle: enabled },
    fix: { response: responses.reread, handle: fix },
  }
}

function served(
  channels: Channels,
  counts: (channel: ReturnType<Channels['all']>[number]) => boolean,
): Set<string> {
  const names = new Set<string>()
  for (const channel of channels.all()) {
    if (counts(channel)) for (const model of channel.models) names.add(model)
  }
  return names
}

function sorted(names: ReadonlySet<string>): readonly string[] {
  return [...names].sort()
}

/**
 * Claude at Foundry: the messages format at `/anthropic/v1/messages`, with the deployment in the body
 * (https://learn.microsoft.com/azure/foundry/foundry-models/how-to/use-foundry-models-claude).
 */
import type {
  Adapter,
  ChannelView,
  FormatAdapter,
  Forwarded,
} from '../../kernel/contract/provider.js'
import { accepted, knownBetas, refusedOf, withEffort } from '../../kernel/toolkit/vendors/index.js'
import { resource } from './address.js'
import { betas, facts, refusesBudget } from './claude-facts.js'
import { changedAsModel, isClaude, modelOf } from './deployment-models.js'
import { fail } from './fail.js'

export const claude: FormatAdapter = {
  format: 'messages',
  serves: isClaude,
  forwards: ['anthropic-version', 'vendor-version', 'anthropic-beta'],
  refuses: (wire, channel, model) => refusedOf(facts, wire, modelOf(channel, model)),
  adjust: (wire, channel) =>
    changedAsModel(wire, channel, (named) =>
      accepted(
        facts,
        withEffort(named, (model) => !refusesBudget.models.test(model)),
      ),
    ),
  address,
  fail,
}

const defaultVersion = '2023-06-01'

function address(
  ...[_wire, channel, { key, token }, { stream, forwarded }]: Parameters<Adapter['address']>
): ReturnType<Adapter['address']> {
  const { 'anthropic-version': named, 'vendor-version': neutral } = forwarded.headers
  const beta = betasOf(channel, forwarded)
  return {
    method: 'POST',
    url: `${resource(channel)}/anthropic/v1/messages`,
    headers: {
      'content-type': 'application/json',
      accept: stream ? 'text/event-stream' : 'application/json',
      ...(token === undefined ? { 'x-api-key': key.trim() } : { authorization: `Bearer ${token}` }),
      'anthropic-version': named ?? neutral ?? defaultVersion,
      ...(beta !== '' && { 'anthropic-beta': beta }),
    },
  }
}

function betasOf({ settings }: ChannelView, { headers }: Forwarded): string {
  const more = Array.isArray(settings.betas) ? settings.betas : []
  return knownBetas(headers['anthropic-beta'], betas, more).join(',')
}

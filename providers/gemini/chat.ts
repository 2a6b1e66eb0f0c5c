/**
 * Content generated in the service's own format. The model stands in the address only, so what its name means for
 * thinking is read there, and the body is completed there too.
 */
import type { Body } from '../../kernel/contract/body.js'
import type { Settings } from '../../kernel/contract/kit.js'
import type { FormatAdapter, UpstreamRequest } from '../../kernel/contract/provider.js'
import { bytesOf, changed } from '../../kernel/toolkit/body/index.js'
import { bareName, modelCall } from './address.js'
import { fail } from './fail.js'
import type { Safety } from './safety.js'
import { readEnding, type Thinking, withThinking } from './thinking-suffix.js'

export function chatAdapter(settings: Settings, safety: Safety): FormatAdapter {
  return {
    format: 'generative',
    address(wire, channel, credentials, context): UpstreamRequest {
      const name = bareName(context.model)
      const thinking = settings.boolean('thinking_suffixes') ? readEnding(name) : { model: name }
      const verb = context.stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
      const request = modelCall({ model: thinking.model, verb }, channel, credentials, context)
      const body = completed(wire, thinking, safety)
      return body === undefined ? request : { ...request, body }
    },
    fail,
  }
}

/** The body with what it lacks; undefined: it goes out as it is. */
function completed(
  wire: Body,
  { model, config }: Thinking,
  safety: Safety,
): Buffer | string | undefined {
  if (wire.kind !== 'json') return undefined
  const { value, bytes, original } = wire
  // A client of this very service set its thresholds itself, or meant not to.
  const isNative = bytes !== undefined || original !== undefined
  const complete = withThinking(isNative ? value : safety(value, model), config)
  return complete === value ? undefined : bytesOf(changed(wire, complete))
}

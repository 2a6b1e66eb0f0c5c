/**
 * Last changes to an outgoing call, in their order: field filters, the spelling this upstream insists on, the request for
 * usage, the channel's system prompt, the operator's documents. Then what billing reads is read from the result (ROUTE-4).
 * A body that passes through as it came is only read.
 */

import type { Body } from '../../../kernel/contract/body.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Mapped, Overridden } from '../../../kernel/contract/line/record.js'
import type { Added, Stages } from '../../../kernel/contract/line/stages.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import type { OverrideContext } from '../../services/rewriting/index.js'
import { billed } from './billed.js'
import { createDocuments, unreadable } from './documents.js'
import { filtered, filteredFields } from './field-filters.js'
import { withValue } from './outgoing.js'
import { withSystemRole } from './system-role.js'

type Headers = OverrideContext['headers']
type Overriding = Added<Overridden, Omit<Mapped, 'wire' | 'lost'>>

export default function create({ services }: Kit<'rewriting'>): Stages['override'] {
  const documents = createDocuments(services.rewriting)
  return {
    run(state) {
      const { channel, wire, client } = state
      const read = documents.headers(channel.headerOverride)
      if ('fault' in read) return unreadable('header_override', read)
      const headers = read.empty
        ? none
        : read.apply({ key: state.key, clientHeaders: client.headers })
      if (isPassedThrough(state)) return overridden(state, { wire, headers, lost: [], audit: [] })
      const override = documents.override(channel.paramOverride)
      if ('fault' in override) return unreadable('param_override', override)
      const before = jsonOf(wire)
      const lost = fieldsToLose(state, before)
      const spelled = spelledFor(state, filtered(before, lost))
      const prompted = promptedFor(state, spelled)
      if (override.empty && prompted === spelled) {
        return overridden(state, { wire: withValue(wire, spelled), headers, lost, audit: [] })
      }
      const done = override.apply(prompted, contextOf(state, headers))
      if ('failure' in done) return done
      const changed = withValue(wire, done.wire, 'deep')
      return overridden(state, { ...done, wire: changed, lost })
    },
  }
}

const none: Headers = {}

/** Same format on both sides, and the channel wants the client's own bytes. A socket has no body to pass. */
function isPassedThrough({ channel, verbatim, wire }: Mapped): boolean {
  return channel.passThroughBody && verbatim && wire.kind !== 'none'
}

/** Filters stand before the adapter's last word: what an upstream insists on is not taken away again. */
function fieldsToLose(state: Mapped, value: JsonObject): readonly string[] {
  const { adapter, channel, upstreamFormat, upstreamModel, wire } = state
  if (wire.kind === 'none') return []
  const isFiltered = upstreamFormat !== undefined && upstreamFormat.name !== 'generative'
  const held = isFiltered ? filteredFields(value, channel.settings) : []
  const refused = adapter.refuses?.(value, channel, upstreamModel) ?? []
  return refused.length === 0 ? held : [...new Set([...held, ...refused])]
}

function spelledFor(state: Mapped, value: JsonObject): JsonObject {
  const { wire, adapter, channel } = state
  if (wire.kind === 'none') return value
  const { upstreamFormat } = state
  const knowsRole = upstreamFormat === undefined || adapter.knowsDeveloper?.(channel) === true
  const spelled = knowsRole ? value : withSystemRole(upstreamFormat.name, value)
  const next = adapter.adjust?.(spelled, channel) ?? spelled
  return state.stream && requestsUsage(state) ? withUsageRequested(state, next) : next
}

function requestsUsage({ adapter, channel }: Mapped): boolean {
  return adapter.requestsUsage !== false && channel.settings.disable_stream_usage !== true
}

function withUsageRequested({ work, upstreamFormat }: Mapped, value: JsonObject): JsonObject {
  return (work?.requestUsage ?? upstreamFormat?.requestUsage)?.(value) ?? value
}

/** Only chat has a system prompt; a form of the upstream's own got it before it was written. */
function promptedFor({ channel, upstreamFormat, wire }: Mapped, value: JsonObject): JsonObject {
  const text = channel.systemPrompt
  if (text === undefined || upstreamFormat === undefined || wire.kind !== 'json') return value
  const always = channel.overrideSystemPrompt
  return upstreamFormat.withSystemPrompt(value, { text, always })
}

function contextOf(state: Mapped, headers: Headers): OverrideContext {
  return {
    model: state.model,
    upstreamModel: state.upstreamModel,
    requestPath: state.path,
    retryIndex: state.number - 1,
    lastFailure: state.tried.at(-1)?.failure,
    clientHeaders: state.client.headers,
    headers,
  }
}

interface Outcome {
  readonly wire: Body
  readonly headers: Headers
  /** Fields the client sent that do not go out. */
  readonly lost: readonly string[]
  readonly audit: readonly string[]
}

function overridden(state: Mapped, { wire, headers, lost, audit }: Outcome): Overriding {
  const added: { -readonly [Field in keyof Overriding]: Overriding[Field] } = {
    wire,
    lost: lost.length === 0 ? state.lost : [...state.lost, ...lost],
    ...billed(state, wire),
  }
  if (Object.keys(headers).length > 0) added.headers = headers
  if (audit.length > 0) added.audit = audit
  return added
}

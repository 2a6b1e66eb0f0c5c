/**
 * The model and the body this upstream understands. Same format on both sides: the client's JSON with another model
 * at most, or as it came where the channel wants it so. Different formats: the canonical call, encoded; what would change
 * its meaning is refused by name, what is cosmetic is reported (FMT-9).
 */

import type { Body } from '../../../kernel/contract/body.js'
import type { Call } from '../../../kernel/contract/call.js'
import type { Format } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Failed } from '../../../kernel/contract/line/attempt.js'
import type { Mapped, Picked } from '../../../kernel/contract/line/record.js'
import type { Added, Stages } from '../../../kernel/contract/line/stages.js'
import type { FormatName } from '../../../kernel/contract/names.js'
import type { Operation } from '../../../kernel/contract/operation.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { changed } from '../../../kernel/toolkit/body/index.js'
import { refused } from '../../../kernel/toolkit/errors/index.js'
import { withAllowedTools, withoutForeignTools } from '../../../kernel/toolkit/format/index.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import {
  isFolded,
  mappedModel,
  ownCall,
  ownFormUnsupportedFields,
  plainToolName,
  renamedTools,
} from '../../../kernel/toolkit/stage/index.js'
import { withSystemTurn } from './system-turn.js'

type Mapping = Added<Mapped, Picked>

export default function create({ services }: Kit<'formats'>): Stages['mapping'] {
  const { formats } = services
  return {
    run(state) {
      const upstreamModel = mappedModel(state.channel.modelMapping, state.model)
      if (upstreamModel === undefined) return refused('channel:model_mapped_error', {}, true)
      const { adapter, format, work } = state
      if (work !== undefined) return operationBody(state, upstreamModel, work)
      if (adapter.format === 'own') return ownBody(state, upstreamModel)
      if (adapter.format === format.name) return verbatim(state, upstreamModel, format)
      return converted(state, upstreamModel, formats.get(adapter.format as FormatName))
    },
  }
}

function verbatim(state: Picked, upstreamModel: string, format: Format): Mapping {
  const { body } = state
  if (passesThrough(state)) return { ...asItCame(state), upstreamFormat: format }
  const named = upstreamModel === state.model || format.modelIn === 'address'
  const wire =
    named || body.kind !== 'json' ? body : changed(body, { ...body.value, model: upstreamModel })
  return { upstreamModel, upstreamFormat: format, verbatim: true, wire, lost: [] }
}

/** The mapping gives way too: the upstream is sent the model the client named, in its address as well. */
function asItCame({ body, model }: Picked): Mapping {
  return { upstreamModel: model, verbatim: true, wire: body, lost: [] }
}

/** A socket has no body to pass; there the model stands in the address. */
function passesThrough({ body, channel }: Picked): boolean {
  return channel.passThroughBody && body.kind !== 'none'
}

function converted(state: Picked, upstreamModel: string, format: Format): Mapping | Failed {
  const { call, toolNames } = callFor(state, upstreamModel, format.toolName)
  const { refuse, report } = format.unsupportedFields(call)
  if (refuse.length > 0) return inexpressible(refuse)
  const wire = json(format.encodeRequest(withoutForeignTools(format.name, call)))
  return { upstreamModel, upstreamFormat: format, verbatim: false, wire, toolNames, lost: report }
}

/** The call as this channel is sent it: the upstream's model, names of tools it takes, and what the channel holds back. */
function callFor({ call, channel }: Picked, model: string, toolName: RegExp) {
  const requested = withAllowedTools({ ...call(), model })
  const quiet = channel.settings.disable_reasoning_summary === true
  const { call: named, names } = renamedTools(
    quiet ? withoutSummary(requested) : requested,
    toolName,
  )
  return { call: named, toolNames: names }
}

function withoutSummary({ reasoning, ...call }: Call): Call {
  if (reasoning === undefined) return call
  const { summary: _, shown: __, ...rest } = reasoning
  return { ...call, reasoning: rest }
}

function ownBody(state: Picked, upstreamModel: string): Mapping | Failed {
  const { adapter, channel } = state
  const { call: requested, toolNames } = callFor(state, upstreamModel, plainToolName)
  const call = withSystemTurn(requested, channel)
  const knowsHosted = adapter.expresses?.includes('serverTools') === true
  const { refuse, report } = ownFormUnsupportedFields(adapter, call)
  if (refuse.length > 0) return inexpressible(refuse)
  const sent = knowsHosted ? call : withoutForeignTools(undefined, call)
  return {
    upstreamModel,
    verbatim: false,
    wire: json(adapter.encode!(ownCall(sent, adapter), channel)),
    toolNames,
    lost: report,
  }
}

/** Another channel may be able to express it. */
function inexpressible(fields: readonly string[]): Failed {
  return refused('not_expressible', { fields: fields.join(', '), param: fields[0]! }, true)
}

/** Other operations have one form; a provider whose upstream speaks another gives it. */
function operationBody(state: Picked, upstreamModel: string, work: Operation): Mapping | Failed {
  const { adapter, channel, taskContext } = state
  if (work.task === true && !servesAction(state)) return inexpressible(['action'])
  if (isFolded(state) && adapter.folded === undefined) {
    return refused('api_not_implemented', {}, true)
  }
  if (adapter.shape === undefined && passesThrough(state)) return asItCame(state)
  const { body, lost } = taken(state)
  const named = work.named(body, upstreamModel)
  const wire = adapter.shape?.(named, channel, upstreamModel, taskContext) ?? named
  return { upstreamModel, verbatim: adapter.shape === undefined, wire, lost }
}

function servesAction({ adapter, body }: Picked): boolean {
  const { action = 'generate' } = jsonOf(body)
  return action === 'generate' || (adapter.actions ?? []).includes(String(action))
}

/** A client with a form of its own for an operation may send more than this upstream knows. */
function taken({ adapter, body, dialect }: Picked): { body: Body; lost: readonly string[] } {
  if (dialect === undefined || body.kind !== 'json') return { body, lost: [] }
  const lost = dialect.optional.filter(
    (name) => body.value[name] !== undefined && !adapter.takes?.includes(name),
  )
  const kept = Object.entries(body.value).filter(([name]) => !lost.includes(name))
  return { body: json(Object.fromEntries(kept)), lost }
}

function json(value: JsonObject): Body {
  return { kind: 'json', value }
}

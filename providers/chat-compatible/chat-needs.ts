/** What a service needs of a chat request beside the format: for tools, for thinking, and for an answer in one piece. */
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import {
  type ChatFacts,
  changedEach,
  choiceLost,
  isAbout,
  leftToModel,
  type ModelFact,
} from '../../kernel/toolkit/vendors/index.js'

/** What is refused, and what is needed. */
export interface ServiceFacts extends ChatFacts {
  /** An answer that calls tools has `reasoning_content`, an empty one too, unless thinking is off. */
  readonly thoughts?: ModelFact
  /** Whether a tool is called is left to the model. */
  readonly choosesTools?: ModelFact
  /** Members without which calls of tools come in another shape than the format's. */
  readonly besideTools?: ModelFact & { readonly members: JsonObject }
  /** The limit of the answer is `max_completion_tokens`, and not `max_tokens`. */
  readonly newerLimit?: ModelFact
  /** It thinks by default and refuses to do so in one piece, where `enable_thinking` is false then. */
  readonly thinksInStreams?: ModelFact
}

/** What is lost, for `Adapter.refuses`. */
export function lostToNeeds(
  { choosesTools }: ServiceFacts,
  wire: JsonObject,
  model: string,
): readonly string[] {
  return choosesTools !== undefined && isAbout(choosesTools, model) ? choiceLost(wire) : []
}

/** The request with what the service needs, for `Adapter.adjust`. The same object where nothing changes. */
export function meeting(needs: ServiceFacts, wire: JsonObject, model: string): JsonObject {
  const { thoughts, choosesTools, besideTools, newerLimit, thinksInStreams } = needs
  const concerns = (fact: ModelFact | undefined) => fact !== undefined && isAbout(fact, model)
  let next = wire
  if (concerns(choosesTools)) next = leftToModel(next)
  if (besideTools && concerns(besideTools)) next = withMembers(next, besideTools.members)
  if (concerns(newerLimit)) next = withNewerLimit(next)
  if (concerns(thinksInStreams)) next = thinkingInStreams(next)
  return concerns(thoughts) && !isOff(next) ? withThoughts(next) : next
}

function withMembers(wire: JsonObject, members: JsonObject): JsonObject {
  const { tools } = wire
  return Array.isArray(tools) && tools.length > 0 ? { ...members, ...wire } : wire
}

/** The newer one counts where both are set, as in the format. */
function withNewerLimit(wire: JsonObject): JsonObject {
  const { max_tokens: older, ...rest } = wire
  if (older === undefined) return wire
  const { max_completion_tokens: newer } = rest
  return typeof newer === 'number' && newer !== 0 ? rest : { ...rest, max_completion_tokens: older }
}

/** What the client says of thinking stays. */
function thinkingInStreams(wire: JsonObject): JsonObject {
  if (wire.stream === true || wire.enable_thinking !== undefined) return wire
  return { ...wire, enable_thinking: false }
}

function withThoughts(wire: JsonObject): JsonObject {
  const messages = changedEach(wire.messages, (message) =>
    callsTools(message) && typeof message.reasoning_content !== 'string'
      ? { ...message, reasoning_content: '' }
      : message,
  ) as Json
  return messages === wire.messages ? wire : { ...wire, messages }
}

function isOff({ thinking }: JsonObject): boolean {
  return isObject(thinking) && thinking.type === 'disabled'
}

function callsTools({ role, tool_calls: calls }: JsonObject): boolean {
  return role === 'assistant' && Array.isArray(calls) && calls.every(isObject) && calls.length > 0
}

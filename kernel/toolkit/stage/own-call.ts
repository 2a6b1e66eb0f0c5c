/**
 * The call as an upstream with a form of its own may see it: what the plugin issued itself, and the fields it declared. What
 * others issued (seals, opaque parts, fields of other formats) is not its to read, and would mean nothing to its upstream.
 */
import type { Call, Only, Part, PartExtras, Tool, Turn } from '../../contract/call.js'
import type { Issuer } from '../../contract/names.js'

export interface Namespace {
  /** Absent: an adapter no plugin has registered, such as one of a test. */
  readonly issuer?: Issuer | undefined
  readonly ownFields?: readonly string[] | undefined
}

/** The same call where nothing of others stands in it. */
export function ownCall(call: Call, { issuer, ownFields = [] }: Namespace): Call {
  const turns = mapped(call.turns, (turn) => ownTurn(turn, issuer))
  const tools = mapped(call.tools, (tool) => ownTool(tool, issuer))
  const only = topOnly(call.only, issuer, ownFields)
  if (turns === call.turns && tools === call.tools && only === call.only) return call
  const { only: _, ...rest } = call
  return { ...rest, turns, tools, ...(only !== undefined && { only }) }
}

function ownTurn(turn: Turn, issuer: Issuer | undefined): Turn {
  const known = withOwnOnly(turn, issuer)
  const parts = ownParts(turn.parts, issuer)
  return parts === turn.parts ? known : { ...known, parts }
}

function ownParts(parts: readonly Part[], issuer: Issuer | undefined): readonly Part[] {
  const isOwn = (part: Part) => part.kind !== 'opaque' || part.of === issuer
  const kept = parts.every(isOwn) ? parts : parts.filter(isOwn)
  return mapped(kept, (part) => ownPart(part, issuer))
}

function ownPart(part: Part, issuer: Issuer | undefined): Part {
  const known = withOwnOnly(withOwnSeal(part, issuer), issuer)
  if (known.kind !== 'toolResult') return known
  const parts = ownParts(known.parts, issuer)
  return parts === known.parts ? known : { ...known, parts }
}

function withOwnSeal<T extends PartExtras>(part: T, issuer: Issuer | undefined): T {
  if (part.seal === undefined || part.seal.by === issuer) return part
  const { seal: _, ...rest } = part
  return rest as T
}

/** Hosted tools are nothing but such fields; whether they may go out is decided by their names. */
function ownTool(tool: Tool, issuer: Issuer | undefined): Tool {
  return tool.kind === 'function' ? withOwnOnly(tool, issuer) : tool
}

function withOwnOnly<T extends { readonly only?: Only }>(level: T, issuer: Issuer | undefined): T {
  const only = onlyOf(level.only, issuer)
  if (only === level.only) return level
  const { only: _, ...rest } = level
  return (only === undefined ? rest : { ...rest, only }) as T
}

function onlyOf(only: Only | undefined, issuer: Issuer | undefined): Only | undefined {
  if (only === undefined || Object.keys(only).every((owner) => owner === issuer)) return only
  const own = issuer === undefined ? undefined : only[issuer]
  return own === undefined ? undefined : { [issuer!]: own }
}

/** Clients of the chat format may send the declared fields of this upstream beside their own. */
function topOnly(
  only: Only | undefined,
  issuer: Issuer | undefined,
  ownFields: readonly string[],
): Only | undefined {
  if (only === undefined) return undefined
  const declared = Object.entries(only.chat ?? {}).filter(([field]) => ownFields.includes(field))
  const own = onlyOf(only, issuer)
  if (declared.length === 0) return own
  return { ...own, chat: Object.fromEntries(declared) }
}

/** The same array where no item is another. */
function mapped<T>(items: readonly T[], change: (item: T) => T): readonly T[] {
  let changed = false
  const made = items.map((item) => {
    const one = change(item)
    changed ||= one !== item
    return one
  })
  return changed ? made : items
}

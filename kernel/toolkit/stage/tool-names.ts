/**
 * Names of tools an upstream would refuse, for a call that is converted: each goes out under another that follows from
 * the name alone, so it is the same in every turn of a conversation, and comes back as the client wrote it.
 */
import { createHash } from 'node:crypto'
import type { Call, Part, Tool, ToolChoice, Turn } from '../../contract/call.js'
import type { Event } from '../../contract/event.js'

/** What every service takes. */
export const plainToolName = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/

/** The client's names by those that went out. */
export type SentNames = ReadonlyMap<string, string>

export interface Renamed {
  readonly call: Call
  /** Absent: no name was changed. */
  readonly names?: SentNames
}

export function renamedTools(call: Call, taken: RegExp): Renamed {
  const known = namesOf(call)
  const wanting = [...known].filter((name) => !taken.test(name))
  if (wanting.length === 0) return { call }
  const sent = new Map<string, string>()
  const requested = new Map<string, string>()
  for (const name of wanting) {
    const next = freeName(name, (one) => known.has(one) || requested.has(one))
    sent.set(name, next)
    requested.set(next, name)
  }
  return { call: withNames(call, (name) => sent.get(name) ?? name), names: requested }
}

export function withClientNames(event: Event, names: SentNames): Event {
  if (event.type !== 'open' || event.part.kind !== 'toolCall') return event
  const name = names.get(event.part.name)
  return name === undefined ? event : { ...event, part: { ...event.part, name } }
}

const charactersMax = 64
const digestCharacters = 8

/** Readable as far as it goes, then a digest of the whole name; counted on in the rare case that somebody has it. */
function freeName(name: string, isTaken: (name: string) => boolean): string {
  const legible = name.replace(/[^a-zA-Z0-9_-]/g, '_').replace(/^(?=[^a-zA-Z_])/, '_')
  const head = legible.slice(0, charactersMax - digestCharacters - 1)
  for (let count = 0; ; count += 1) {
    const digest = createHash('sha256').update(`${count}:${name}`).digest('hex')
    const next = `${head}_${digest.slice(0, digestCharacters)}`
    if (!isTaken(next)) return next
  }
}

function namesOf({ tools, turns, toolChoice }: Call): ReadonlySet<string> {
  const names = new Set<string>()
  for (const tool of tools) if (tool.kind === 'function') names.add(tool.name)
  for (const { parts } of turns) {
    for (const part of parts) {
      if (part.kind === 'toolCall') names.add(part.name)
      else if (part.kind === 'toolResult' && part.name !== undefined) names.add(part.name)
    }
  }
  if (toolChoice?.kind === 'named') names.add(toolChoice.name)
  return names
}

type Naming = (name: string) => string

function withNames(call: Call, naming: Naming): Call {
  const { tools, turns, toolChoice } = call
  return {
    ...call,
    tools: tools.map((tool) => namedTool(tool, naming)),
    turns: turns.map((turn) => namedTurn(turn, naming)),
    ...(toolChoice && { toolChoice: namedChoice(toolChoice, naming) }),
  }
}

function namedTool(tool: Tool, naming: Naming): Tool {
  return tool.kind === 'function' ? { ...tool, name: naming(tool.name) } : tool
}

function namedChoice(choice: ToolChoice, naming: Naming): ToolChoice {
  return choice.kind === 'named' ? { ...choice, name: naming(choice.name) } : choice
}

function namedTurn(turn: Turn, naming: Naming): Turn {
  const parts = turn.parts.map((part) => namedPart(part, naming))
  return parts.every((part, at) => part === turn.parts[at]) ? turn : { ...turn, parts }
}

function namedPart(part: Part, naming: Naming): Part {
  if (part.kind !== 'toolCall' && part.kind !== 'toolResult') return part
  const name = part.name === undefined ? undefined : naming(part.name)
  return name === undefined || name === part.name ? part : { ...part, name }
}

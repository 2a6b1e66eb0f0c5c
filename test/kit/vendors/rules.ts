/** Kinds of rules that several vendors have, to be given their sources. */
import type { Recorded } from '../upstream.js'
import { isRecord, listIn, type VendorRule } from '../vendor.js'

export interface Source {
  readonly source: string
  /** Day of reading, `YYYY-MM-DD`. */
  readonly read: string
}

type Body = Readonly<Record<string, unknown>>

export const isChat = ({ path }: Recorded) => /\/chat\/completions(?:\?|$)/.test(path)
const isMessages = ({ path }: Recorded) => /\/messages(?:\?|$)/.test(path)
export const isResponses = ({ path }: Recorded) => /\/responses(?:\?|$)/.test(path)

interface About {
  /** What it is about. Absent: every request. */
  readonly of?: (request: Recorded) => boolean
  readonly models?: RegExp
}

/** A rule about the body of the requests it is about. */
export function rule(
  sentence: string,
  { source, read, of = () => true, models }: Source & About,
  broken: (body: Body) => boolean,
): VendorRule {
  return {
    ...{ rule: sentence, source, read },
    broken: (request) => {
      const body = request.json ?? {}
      const model = typeof body.model === 'string' ? body.model : request.path
      return of(request) && (models === undefined || models.test(model)) && broken(body)
    },
  }
}

export function refuses(members: readonly string[], about: Source & About): VendorRule {
  return rule(`Unsupported parameter(s): ${members.join(', ')}`, about, (body) =>
    members.some((name) => body[name] !== undefined),
  )
}

/** What is not among them is refused. */
export function knowsOnly(members: readonly string[], about: Source & About): VendorRule {
  const known = new Set(members)
  return rule('Extra inputs are not permitted', about, (body) =>
    Object.keys(body).some((name) => !known.has(name)),
  )
}

/** Of a message of the chat format. */
export function refusesInMessages(members: readonly string[], about: Source & About): VendorRule {
  return rule(
    `property '${members.join("', '")}' is unsupported`,
    { of: isChat, ...about },
    (body) =>
      listIn(body, 'messages').some((message) =>
        members.some((name) => message[name] !== undefined),
      ),
  )
}

/** Roles of the chat format, or of another where it is said. */
export function rolesAre(roles: readonly string[], about: Source & About): VendorRule {
  return rule(`messages.role must be one of ${roles.join(', ')}`, about, (body) =>
    [...listIn(body, 'messages'), ...listIn(body, 'input')].some(
      ({ role }) => role !== undefined && !roles.includes(String(role)),
    ),
  )
}

export function systemStandsFirst(about: Source & About): VendorRule {
  return rule('System message must be at the beginning.', { of: isChat, ...about }, (body) =>
    listIn(body, 'messages').some(({ role }, at) => at > 0 && isInstruction(role)),
  )
}

export function systemIsOne(about: Source & About): VendorRule {
  return rule(
    'invalid chat setting: one system message at most',
    { of: isChat, ...about },
    (body) => {
      return listIn(body, 'messages').filter(({ role }) => isInstruction(role)).length > 1
    },
  )
}

function isInstruction(role: unknown): boolean {
  return role === 'system' || role === 'developer'
}

/** What a tool choice of the chat or the messages format says. */
function forces({ tool_choice: choice }: Body): boolean {
  const word = isRecord(choice) ? choice.type : choice
  return word === 'required' || word === 'any' || word === 'function' || word === 'tool'
}

export function noForcedToolWhileThinking(about: Source & About): VendorRule {
  return rule('Thinking mode does not support this tool_choice', about, (body) => {
    const { thinking } = body
    return forces(body) && !(isRecord(thinking) && thinking.type === 'disabled')
  })
}

export function toolsAreAuto(about: Source & About): VendorRule {
  return rule('Tool choice must be auto', { of: isChat, ...about }, ({ tool_choice: choice }) => {
    return choice !== undefined && choice !== 'auto'
  })
}

/** In a responses request: tools of these types, and items of none but these kinds. */
export function toolTypesAre(types: readonly string[], about: Source & About): VendorRule {
  return rule('unknown tool type', { of: isResponses, ...about }, (body) => {
    return (
      listIn(body, 'tools').some(({ type }) => !types.includes(String(type))) ||
      listIn(body, 'input').some(({ type }) => unknownItems.has(String(type)))
    )
  })
}

/** What the format's maker alone has in its conversations. */
const unknownItems = new Set([
  'additional_tools',
  'custom_tool_call',
  'custom_tool_call_output',
  'tool_search_call',
  'tool_search_output',
])

/** The contents of assistant's messages are texts, and null is none. */
export function contentIsText(about: Source & About): VendorRule {
  return rule(
    "Type mismatch of '/messages/*/content', 'array' not in 'string'",
    { of: isChat, ...about },
    (body) => listIn(body, 'messages').some(({ content }) => typeof content !== 'string'),
  )
}

/** Only the newest models of the format's maker take instructions between turns. */
export const rolesOfMessages: Source = {
  source:
    'platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages as quoted in github.com/vllm-project/vllm/pull/44505',
  read: '2026-11-27',
}

/** The messages format has two roles. */
export function noSystemTurns(about: Source & About): VendorRule {
  return rule(
    'messages.role: unknown variant `system`, expected `user` or `assistant`',
    { of: isMessages, ...about },
    (body) => listIn(body, 'messages').some(({ role }) => role !== 'user' && role !== 'assistant'),
  )
}

export function resultsHaveThoughts(about: Source & About): VendorRule {
  return rule(
    'thinking is enabled but reasoning_content is missing in assistant tool call message',
    { of: isChat, ...about },
    (body) =>
      listIn(body, 'messages').some(
        ({ role, tool_calls: calls, reasoning_content: thought }) =>
          role === 'assistant' && calls !== undefined && typeof thought !== 'string',
      ),
  )
}

/** Members of a chat request that only the maker of the format has. */
export const ofMaker = ['store', 'verbosity', 'prompt_cache_key', 'prompt_cache_retention']

export const fourRoles = ['system', 'user', 'assistant', 'tool']

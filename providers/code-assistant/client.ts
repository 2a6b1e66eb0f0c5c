/**
 * Which client the service is told it speaks to. It keeps newer models from older versions of its own, and its front turns
 * nameless programs away, so a channel states both; the assistant's own client states its own.
 */
import type { AddressContext, ChannelView } from '../../kernel/contract/provider.js'
import { someText } from '../../kernel/toolkit/json/index.js'

/** What the assistant's own client sends about itself and its session; others send nothing (its source, 2026-11). */
export const forwards: readonly string[] = [
  'originator',
  'user-agent',
  'version',
  'openai-beta',
  'session_id',
  'session-id',
  'conversation_id',
  'thread-id',
  'x-client-request-id',
  'x-codex-beta-features',
  'x-codex-turn-state',
  'x-codex-turn-metadata',
  'x-codex-window-id',
  'x-codex-parent-thread-id',
  'x-openai-subagent',
]

/** Of the `@openai/codex` package (npm, 2026-11-27). */
export const currentVersion = '0.171.0'

const originator = 'codex_cli_rs'

/** As the channel has it. */
export function versionOf({ settings }: ChannelView): string {
  const set = someText(settings.client_version)?.trim() ?? ''
  return version.test(set) ? set : currentVersion
}

const version = /^\d{1,6}(?:\.\d{1,6}){2}[\w.-]{0,32}$/

export function channelClient(channel: ChannelView): Record<string, string> {
  const current = versionOf(channel)
  const agent = headerText(someText(channel.settings.user_agent) ?? '')
  return {
    originator,
    version: current,
    'user-agent': agent === '' ? `${originator}/${current}` : agent,
  }
}

function headerText(value: string): string {
  return value.replace(/[^\x20-\x7e]/g, '').trim()
}

/** A client that does not name itself is none of the service's own, and what it is would only be held against it. */
export function clientHeaders(
  channel: ChannelView,
  { headers }: AddressContext['forwarded'],
): Record<string, string> {
  const own: Record<string, string> = {}
  for (const name of forwards) {
    const value = headers[name]
    if (value) own[name] = value
  }
  const { originator: isOwn, version, 'user-agent': agent, ...session } = own
  if (isOwn === undefined) return { ...channelClient(channel), ...session }
  const reported = version ?? versionIn(agent)
  return { ...channelClient(channel), ...own, ...(reported !== undefined && { version: reported }) }
}

/** Some of the service's own clients state it nowhere else: `Codex Desktop/0.153.3 (…)`. */
function versionIn(agent = ''): string | undefined {
  const [, found = ''] = /^[\w -]{1,40}\/(\S{1,64})/.exec(agent) ?? []
  return version.test(found) ? found : undefined
}

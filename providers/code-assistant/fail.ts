/**
 * How this service refuses: `{detail: "…"}` from the front, `{error: {type, message, resets_at}}` from behind it. A plan
 * that is used up holds when it begins anew.
 */
import type { Failure } from '../../kernel/contract/failure.js'
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import {
  type ErrorFields,
  failureOfError,
  nestedError,
  upstreamFailure,
} from '../../kernel/toolkit/errors/index.js'
import type { Fact } from '../../kernel/toolkit/vendors/index.js'

export function fail(
  status: number,
  headers: Readonly<Record<string, string>>,
  head: Buffer,
): Failure {
  if (isTurnedAway(status, headers)) return turnedAway
  let resetMs: number | undefined
  const failure = upstreamFailure({ status, headers, head }, (body) => {
    resetMs = resetIn(body, headers)
    return pick(body)
  })
  return resetMs === undefined ? failure : { ...failure, retryAfterMs: resetMs }
}

/**
 * The front answers with a page to be read in a browser where it mistrusts an address or a client. Both are the channel's,
 * but the account was not looked at, and the operator has to know (github.com/openai/codex/issues/27752, read 2026-11-27).
 */
function isTurnedAway(status: number, headers: Readonly<Record<string, string>>): boolean {
  const { 'cf-mitigated': mitigated, 'content-type': type = '' } = headers
  return status === 403 && (mitigated !== undefined || type.startsWith('text/html'))
}

const turnedAway: Failure = {
  ...failureOfError({}, 403),
  upstreamMessage:
    'The front of the service turned this server’s address or client away; the account was not looked at.',
}

interface ChannelTrouble extends Fact {
  readonly words: RegExp
  /** For the operator, in front of the service's own words. */
  readonly meaning: string
}

/** What another channel may have, whatever the status. */
const channelTroubles: readonly ChannelTrouble[] = [
  {
    words: /requires a newer version of codex/i,
    meaning: 'The client version this channel states is too old for the model: raise it.',
    source: 'github.com/diegosouzapw/OmniRoute/pull/13708',
    read: '2026-11-27',
  },
  {
    words:
      /not supported when using codex with a chatgpt account|model .{1,80} (?:is not|isn.t) available/i,
    meaning: 'The account’s plan, or the client version this channel states, has no such model.',
    source: 'github.com/openai/codex; github.com/NousResearch/hermes-agent/pull/81576',
    read: '2026-11-27',
  },
  {
    words: /usage_not_included|deactivated_workspace/i,
    meaning: 'The account’s plan does not include this, or its workspace is switched off.',
    source: 'github.com/openai/codex',
    read: '2026-11-21',
  },
]

const unsupportedField = /^Unsupported parameter: ([a-z_.]{1,64})$/

function pick(body: JsonObject): ErrorFields | undefined {
  const fields = isObject(body.error) ? nestedError(body) : detailOf(body)
  const words = [fields?.message, fields?.type, fields?.code].join(' ')
  const param = fields?.param ?? unsupportedField.exec(fields?.message ?? '')?.[1]
  const trouble = channelTroubles.find((known) => known.words.test(words))
  if (trouble === undefined) return { ...fields, param }
  const message = `${trouble.meaning} ${fields?.message ?? ''}`.trim()
  return { ...fields, message, blame: 'channel' }
}

function detailOf({ detail, ...rest }: JsonObject): ErrorFields | undefined {
  if (typeof detail === 'string') return { message: detail }
  return nestedError(isObject(detail) ? detail : rest)
}

/** The longest window of a plan is a week. */
const longestParkMs = 7 * 24 * 3_600_000

/** In seconds from now, or as a moment to be measured against the service's own clock. */
function resetIn(
  { error }: JsonObject,
  { date }: Readonly<Record<string, string>>,
): number | undefined {
  if (!isObject(error) || error.type !== 'usage_limit_reached') return undefined
  const seconds = countOf(error.resets_in_seconds)
  const moment = countOf(error.resets_at)
  const reported = Date.parse(date ?? '')
  const ms = seconds === undefined ? (moment ?? Number.NaN) * 1000 - reported : seconds * 1000
  return ms >= 0 ? Math.min(Math.ceil(ms), longestParkMs) : undefined
}

function countOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** The bot challenge (AUTH-7): a token solved in the browser, confirmed by the verifier before anything else is done. */
import { isObject } from '../../../kernel/contract/json.js'
import type { ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Challenge } from './challenge.js'
import { ruleOptions } from './option-rules.js'
import { puzzleSeconds, puzzles } from './proof-of-work.js'
import { confirms } from './verifier.js'

export type * from './challenge.js'

const tokenLengthMax = 2048

export default function create({
  services,
  settings,
  clock,
  log,
}: Kit<'egress' | 'options' | 'secrets' | 'rate-limits'>): Challenge {
  const { egress, options, secrets, 'rate-limits': limits } = services
  ruleOptions(options, settings)
  let key: Buffer | undefined
  const work = puzzles({
    key: () => (key ??= secrets.derive('proof of work')),
    now: () => clock.now(),
  })
  const used = limits.window('proof of work', puzzleSeconds * 2)

  return {
    siteKey: () => (settings.boolean('enabled') ? settings.string('siteKey') : undefined),
    async require(request) {
      if (!settings.boolean('enabled')) return
      const token = shownBy(request)
      if (token === undefined) throw new Refusal('challenge_required')
      const question = {
        url: settings.string('verifyUrl'),
        secret: settings.string('secretKey'),
        token,
        address: request.address,
      }
      const confirmed = await confirms(question, { egress, clock }).catch((cause) => {
        log.error({ reason: reasonOf(cause) }, 'the bot challenge could not be verified')
        throw new Refusal('challenge_unavailable')
      })
      if (!confirmed) throw new Refusal('challenge_required')
    },
    async work({ headers }, subject, bits) {
      // One bit less, since others may have tried while it was being solved.
      const text = work.solved(subject, bits - 1, headers['x-challenge-solution'])
      if (text !== undefined && (await used.count(text, 1)) === 1) return
      const requested = { 'x-challenge': work.make(subject, bits) }
      throw new Refusal('work_required', {}, { headers: requested })
    },
  }
}

/** The header wins; older callers send it in the query. */
function shownBy({
  headers,
  query,
}: Pick<ManagementRequest, 'headers' | 'query'>): string | undefined {
  const requested = isObject(query) ? query.turnstile : undefined
  const token = headers['x-turnstile-token'] || requested
  if (typeof token !== 'string' || token === '' || token.length > tokenLengthMax) return undefined
  return token
}

/** A parser's message may quote what was sent, so only our own text is shown. */
function reasonOf(cause: unknown): string {
  if (cause instanceof SyntaxError) return 'its answer is no JSON'
  return cause instanceof Error ? cause.message : 'unknown'
}

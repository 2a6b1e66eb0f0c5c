/** `GET /api/status`: what anyone may know. Desktop clients read the names, so they are the family's (management/README.md section 9). */

import type { Answer, Management } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { answersOfAll } from './answers-of-all.js'
import { consoleFacts, featureFacts, passkeyFacts } from './option-facts.js'
import { currencyFacts, looksFacts } from './own-facts.js'
import { checkPublicAddress } from './public-address.js'
import { databaseState, httpStats, status, version } from './responses.js'
import { signInFacts } from './sign-in-facts.js'
import { storedOptions } from './stored-options.js'

type StatusKit = Kit<
  | 'system'
  | 'setup'
  | 'routing'
  | 'options'
  | 'challenge'
  | 'oauth'
  | 'database'
  | 'traffic'
  | 'peers'
>

export default function create({ services, settings, clock }: StatusKit): Management {
  const { system, setup, routing, options, challenge, oauth, database, traffic } = services
  const answers = answersOfAll(traffic, services.peers)
  options.check('ServerAddress', checkPublicAddress)

  /** All of it stands in memory: nothing waits here. */
  function read() {
    const stored = storedOptions(options)
    const siteKey = challenge.siteKey()
    return {
      // The family's clients read the name; what runs here is for those who are signed in.
      version: '',
      start_time: Math.floor(system.startedAt / 1000),
      setup: setup.done(),
      default_use_auto_group: routing.defaultsToAuto(),
      turnstile_check: siteKey !== undefined,
      turnstile_site_key: siteKey ?? '',
      ...looksFacts(settings),
      ...currencyFacts(settings, stored),
      ...featureFacts(stored),
      ...consoleFacts(stored),
      ...passkeyFacts(stored),
      ...signInFacts(oauth.buttons(), stored),
    }
  }

  async function test(): Promise<Answer> {
    const begunAt = clock.monotonic()
    try {
      await database.probe()
    } catch {
      throw new Refusal('database_unavailable')
    }
    const data = { database: 'ok', database_ms: Math.round(clock.monotonic() - begunAt) }
    return { answer: true, data, beside: { http_stats: await answers() } }
  }

  return {
    routes: {
      read: { response: status, handle: read },
      test: { response: databaseState, beside: httpStats, handle: test },
      version: { response: version, handle: () => ({ version: system.version }) },
    },
  }
}

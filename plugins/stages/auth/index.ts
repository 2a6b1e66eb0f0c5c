/**
 * Who is calling: the token and its owner, from memory, and the channel the key names if it names one. The reserve
 * checks both again in the database, so what is stale here can never spend (AUTH-1, AUTH-3).
 */
import type { Admitted, Received } from '../../../kernel/contract/line/record.js'
import type { Added, Stages } from '../../../kernel/contract/line/stages.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'

type Identified = Added<Admitted, Received>

export default function create({ services }: Kit<'identity' | 'recordings'>): Stages['auth'] {
  const { identity, recordings } = services
  return {
    run(state) {
      const { credential, client } = state
      if (credential.kind === 'none') throw new Refusal('missing_credential')
      if (credential.kind === 'user') return kept(state, { user: credential.user })
      const found = identity.byKey(credential.key, client.address)
      return found instanceof Promise
        ? found.then((identified) => kept(state, identified))
        : kept(state, found)
    },
  }

  /** Where nothing is recorded, this looks at two fields and returns what it was given. */
  function kept(state: Received, identified: Identified): Identified {
    const { everybody } = recordings
    if (everybody === undefined && identified.token?.recording === undefined) return identified
    return { ...identified, recording: recordings.begin(state, identified) }
  }
}

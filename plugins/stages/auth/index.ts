/**
 * Who is calling: the token and its owner, from memory, and the channel the key names if it names one. The reserve
 * checks both again in the database, so what is stale here can never spend (AUTH-1, AUTH-3).
 */
import type { Stages } from '../../../kernel/contract/line/stages.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'

export default function create({ services }: Kit<'identity'>): Stages['auth'] {
  const { identity } = services
  return {
    run(state) {
      const { credential, client } = state
      if (credential.kind === 'none') throw new Refusal('missing_credential')
      if (credential.kind === 'user') return { user: credential.user }
      return identity.byKey(credential.key, client.address)
    },
  }
}

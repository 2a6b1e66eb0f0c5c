/** `GET /v1/models`: the models the token's route plan reaches and that have a price (FMT-14). */
import type { Endpoint, Inbound } from '../../../kernel/contract/endpoint.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Kit } from '../../../kernel/contract/kit.js'
import { Refusal } from '../../../kernel/errors.js'
import { bearerCredential } from '../../../kernel/http/credential.js'

/** The family's clients expect a creation time; models have none here, so all share this one. */
const created = 1_626_777_600

export default function create({ services }: Kit<'identity' | 'routing' | 'pricing'>): Endpoint {
  const { identity, routing, pricing } = services

  async function visible({ client }: Inbound): Promise<readonly string[]> {
    const credential = bearerCredential(client.headers)
    if (credential.kind !== 'key') throw new Refusal('missing_credential')
    const { user, token } = await identity.byKey(credential.key, client.address)
    return routing
      .models(routing.plan(user, token))
      .filter((name) => pricing.priced(name) && (token.models?.has(name) ?? true))
  }

  return {
    routes: {
      list: {
        kind: 'answer',
        answer: async (inbound) => ({
          status: 200,
          body: { object: 'list', data: (await visible(inbound)).map(described) },
        }),
      },
      read: {
        kind: 'answer',
        async answer(inbound) {
          const model = inbound.params.model ?? ''
          if (!(await visible(inbound)).includes(model)) {
            throw new Refusal('unknown_model', { model, param: 'model' })
          }
          return { status: 200, body: described(model) }
        },
      },
    },
  }
}

function described(name: string): JsonObject {
  return {
    id: name,
    object: 'model',
    created,
    owned_by: 'waybill',
    supported_endpoint_types: ['openai'],
  }
}

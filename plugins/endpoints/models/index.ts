/**
 * The models a key reaches: those of its token's route plan that have a price and are not hidden. One list, written in
 * the format of the client (FMT-14), and made from memory.
 */

import type { Client } from '../../../kernel/contract/client.js'
import type { Endpoint, EndpointRoute } from '../../../kernel/contract/endpoint.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { anyCredential } from '../../../kernel/toolkit/endpoint/index.js'
import { clientError, Refusal } from '../../../kernel/toolkit/errors/index.js'
import { type ListedModel, type Style, styleOf, styles } from './styles.js'

export default function create({
  services,
}: Kit<'identity' | 'routing' | 'pricing' | 'formats' | 'model-registry'>): Endpoint {
  const { identity, routing, pricing, formats } = services
  const registry = services['model-registry']

  async function visible(client: Client): Promise<readonly ListedModel[]> {
    const credential = anyCredential(client)
    if (credential.kind !== 'key') throw new Refusal('missing_credential')
    const { user, token } = await identity.byKey(credential.key, client.address)
    const prices = pricing.current()
    const listed: ListedModel[] = []
    for (const name of routing.models(routing.plan({ user, token }))) {
      if (!prices.priced(name) || token.models?.has(name) === false) continue
      const facts = registry.describe(name)
      if (!facts.hidden) listed.push({ name, facts })
    }
    return listed
  }

  /** Refusals too have the client's format, which on a shared path only its request shows. */
  function route(
    styleFor: (client: Client) => Style,
    body: (style: Style, models: readonly ListedModel[], name: string) => JsonObject,
  ): EndpointRoute {
    return {
      kind: 'answer',
      async answer({ client, params }) {
        const style = styleFor(client)
        try {
          return { status: 200, body: body(style, await visible(client), params.model ?? '') }
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
          const { headers } = error
          return {
            ...formats.get(style.format).encodeError(answerWith(error)),
            ...(headers && { headers }),
          }
        }
      },
    }
  }

  const routesIn = (styleFor: (client: Client) => Style) => ({
    list: route(styleFor, (style, models) => style.list(models)),
    read: route(styleFor, one),
  })
  const shared = routesIn(styleOf)
  const generative = routesIn(() => styles.generative)
  const openai = routesIn(() => styles.chat)
  return {
    routes: {
      list: shared.list,
      read: shared.read,
      'list-generative': generative.list,
      'read-generative': generative.read,
      'list-openai': openai.list,
      'read-openai': openai.read,
    },
  }
}

function one(style: Style, models: readonly ListedModel[], requested: string): JsonObject {
  const found = models.find(({ name }) => name === requested)
  if (found === undefined) throw new Refusal('unknown_model', { model: requested, param: 'model' })
  return style.one(found)
}

/** Clients know an unknown model by this code; in a relay it means something else and has another status. */
function answerWith(refusal: Refusal) {
  const error = clientError(refusal)
  return refusal.code === 'unknown_model' ? { ...error, code: 'model_not_found' } : error
}

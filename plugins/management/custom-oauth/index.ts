/** Sign-in providers an admin defines beside the plugins: an address here, a field name there, and no code. */

import type { Answer, Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { discover } from './discover.js'
import {
  discoveryAsk,
  type NewProvider,
  newProvider,
  type ProviderForm,
  providerChanges,
  providerId,
  removal,
} from './forms.js'
import { discovered, providerList, signInProvider, unbound } from './responses.js'
import { type Check, type ProviderRow, providerStore } from './store.js'

export default function create({
  services,
  clock,
}: Kit<'database' | 'changes' | 'secrets' | 'extensions' | 'egress' | 'oauth'>): Management {
  const { extensions, egress, oauth } = services
  const providers = providerStore(services, () => new Date(clock.now()))

  /** What is switched on must be complete, as with every other provider. */
  const check: Check = async ({ enabled, settings }) => {
    if (!enabled) return
    const { access_policy: _, ...values } = settings
    const provider = await extensions.oauthOf('custom', values)
    if (provider.ready()) return
    const reason =
      'It cannot be switched on before client id, endpoints and the field of the id are there.'
    throw new Refusal('invalid_field', { reason, param: 'enabled' })
  }

  async function createProvider({ body }: ManagementRequest<unknown, NewProvider>) {
    if (oauth.reserved(body.slug)) {
      const reason = `The slug ${JSON.stringify(body.slug)} is taken by the gateway itself.`
      throw new Refusal('conflict', { reason, param: 'slug' })
    }
    return answerWith('define', await providers.create(body, check))
  }

  async function update({ params, body }: ManagementRequest<unknown, ProviderForm>) {
    return answerWith('change', await providers.update(Number(params.id), body, check))
  }

  async function remove({ params, query }: ManagementRequest<{ readonly force: boolean }>) {
    const { row, bound } = await providers.remove(Number(params.id), query.force)
    const audit = { object: `sign-in provider ${row.slug}`, detail: `delete, ${bound} unbound` }
    const answer: Answer = { answer: true, data: { unbound: bound }, audit }
    return answer
  }

  return {
    routes: {
      list: { response: providerList, handle: async () => (await providers.list()).map(record) },
      discovery: {
        query: discoveryAsk,
        response: discovered,
        handle: ({ query }: ManagementRequest<{ readonly url: string }>) =>
          discover(egress, query.url),
      },
      read: {
        params: providerId,
        response: signInProvider,
        handle: async ({ params }) => record(await providers.get(Number(params.id))),
      },
      create: { body: newProvider, response: signInProvider, handle: createProvider },
      update: {
        params: providerId,
        body: providerChanges,
        response: signInProvider,
        handle: update,
      },
      remove: { params: providerId, query: removal, response: unbound, handle: remove },
    },
  }
}

function answerWith(detail: string, row: ProviderRow): Answer {
  const data = record(row)
  const audit = { object: `sign-in provider ${row.slug}`, detail, after: data }
  return { answer: true, data, audit }
}

/** A provider as the console reads it; whether it has a secret, but not which. */
function record(row: ProviderRow) {
  return {
    access_policy: [],
    ...row.settings,
    id: row.id,
    slug: row.slug,
    name: row.name,
    icon: row.icon,
    enabled: row.enabled,
    client_secret: '',
    has_client_secret: row.secret_sealed !== '',
    created_at: Math.floor(row.created_at.getTime() / 1000),
    updated_at: Math.floor(row.updated_at.getTime() / 1000),
  }
}

/**
 * What clients ask about the money of a key: the old dashboard's two paths, the use of a key, and its log. A failure on
 * the way gets one sentence without details (BILL-11); the log has the details.
 */

import type { Credential } from '../../../kernel/contract/client.js'
import type {
  Endpoint,
  EndpointAnswer,
  EndpointRoute,
  Inbound,
} from '../../../kernel/contract/endpoint.js'
import type { ClientError } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { bearerCredential } from '../../../kernel/toolkit/endpoint/index.js'
import { clientError, Refusal } from '../../../kernel/toolkit/errors/index.js'
import { isUnavailable } from '../../../kernel/toolkit/service/index.js'
import type { Identified } from '../../services/identity/index.js'
import type { KeyUsage } from '../../services/usage-log/index.js'
import { subscription, tokenUsage, usage } from './bodies.js'
import { unitsPerQuota } from './display.js'
import { type Figures, figuresOf } from './figures.js'

type Look = (who: Identified) => Promise<JsonObject>
type Frame = (error: ClientError) => EndpointAnswer

type Needs = 'identity' | 'ledger' | 'options' | 'formats' | 'usage-log'

export default function create({ services, settings, log }: Kit<Needs>): Endpoint {
  const { identity, ledger, options, formats, 'usage-log': usageLog } = services
  const chatFrame: Frame = (error) => formats.get('chat').encodeError(error)

  function route(
    look: Look,
    frame: Frame,
    credentialOf: (inbound: Inbound) => Credential = ({ client }) =>
      bearerCredential(client.headers),
  ): EndpointRoute {
    return {
      kind: 'answer',
      async answer(inbound) {
        try {
          const who = await identified(credentialOf(inbound), inbound.client.address)
          return { status: 200, body: await look(who).catch(lookupFailed) }
        } catch (error) {
          if (error instanceof Refusal && error.status < 500) {
            const { headers } = error
            return { ...frame(clientError(error)), ...(headers && { headers }) }
          }
          const { requestId, path } = inbound
          log.error({ err: error, requestId, path }, 'billing information could not be looked up')
          return frame(unavailable(error))
        }
      },
    }
  }

  async function identified(credential: Credential, address: string): Promise<Identified> {
    if (credential.kind !== 'key') throw new Refusal('missing_credential')
    return identity.byKey(credential.key, address)
  }

  async function keyUsage({ token }: Identified): Promise<KeyUsage> {
    const found = await usageLog.ofKey(token.id)
    if (found === undefined) throw new Error(`the API key ${token.id} has no row`)
    return found
  }

  async function figures(who: Identified): Promise<Figures> {
    const { id } = who.user
    return figuresOf(await keyUsage(who), settings.boolean('tokenFigures'), async () =>
      (await ledger.wallets([id])).get(id),
    )
  }

  const readSubscription: Look = async (who) =>
    subscription(await figures(who), unitsPerQuota(options.list()))
  const readUsage: Look = async (who) => usage(await figures(who), unitsPerQuota(options.list()))
  const readTokenUsage: Look = async (who) => tokenUsage(await keyUsage(who))
  const readTokenLog: Look = async ({ token, user }) => {
    const rows = await usageLog.ofToken({ id: token.id, userId: user.id })
    return { success: true, message: '', data: rows.map((row) => ({ ...row })) }
  }

  return {
    routes: {
      'subscription-v1': route(readSubscription, chatFrame),
      'usage-v1': route(readUsage, chatFrame),
      subscription: route(readSubscription, chatFrame),
      usage: route(readUsage, chatFrame),
      'token-usage': route(readTokenUsage, envelope),
      'token-log': route(readTokenLog, envelope, keyOrBearer),
    },
  }
}

function keyOrBearer({ client }: Inbound): Credential {
  const { key = '' } = client.query
  return key === '' ? bearerCredential(client.headers) : { kind: 'key', key }
}

/** Whatever its kind, past the credential it is a failure of ours. */
function lookupFailed(cause: unknown): never {
  throw new Error('the lookup failed', { cause })
}

function unavailable(error: unknown): ClientError {
  const isDown = isUnavailable(error) || (error instanceof Refusal && error.status === 503)
  return {
    status: isDown ? 503 : 500,
    message: 'billing information unavailable',
    type: 'api_error',
    param: '',
    code: 'billing_unavailable',
  }
}

/** How the paths under `/api` speak. */
function envelope({ status, message, code }: ClientError): EndpointAnswer {
  return { status, body: { success: false, message, code, data: null } }
}
